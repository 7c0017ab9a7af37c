-- Creates a comment. Waits for a concurrent deletion of the track, then reports it unknown.
CREATE OR REPLACE FUNCTION create_comment(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_secret_hash bytea, p_comment jsonb, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  spent jsonb;
  made bigint;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO t FROM tracks WHERE id = p_track FOR KEY SHARE;
  IF NOT FOUND OR track_access(t, p_user, p_secret_hash, NULL) = 'none' THEN
    RETURN json_build_object('outcome', 'unknown_track');
  ELSIF NOT t.commentable THEN
    RETURN json_build_object('outcome', 'not_commentable');
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  INSERT INTO comments (track_id, user_id, body, sanitizer_version, timestamp_ms)
  SELECT p_track, p_user, n.body, n.sanitizer_version, n.timestamp_ms FROM jsonb_populate_record(NULL::comments, p_comment) n
  RETURNING id INTO made;
  RETURN json_build_object('outcome', 'done', 'spent', spent,
    'comment', comment_rows(ARRAY[made])->0);
END $$;
