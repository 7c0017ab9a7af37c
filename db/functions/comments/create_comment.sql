-- Creates a comment. Waits for a concurrent deletion of the track, then reports it unknown.
CREATE OR REPLACE FUNCTION create_comment(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_secret_hash bytea, p_comment jsonb, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  spent jsonb;
  made comments;
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
  RETURNING * INTO made;
  RETURN json_build_object('outcome', 'done', 'spent', spent, 'comment', (
    SELECT json_build_object('id', made.id, 'track_id', made.track_id, 'user_id', made.user_id,
      'created_at', id_created_at(made.id), 'updated_at', made.updated_at, 'body', made.body, 'timestamp_ms', made.timestamp_ms,
      'user', json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username,
        'avatar_version', u.avatar_version, 'updated_at', u.updated_at,
        'followers_count', u.followers_count + coalesce(d.followers, 0),
        'followings_count', u.followings_count + coalesce(d.followings, 0),
        'reposts_count', u.reposts_count + coalesce(d.reposts, 0)))
    FROM users u, (
      SELECT sum(delta) FILTER (WHERE counter = 'followers_count') AS followers,
        sum(delta) FILTER (WHERE counter = 'followings_count') AS followings,
        sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts
      FROM counter_deltas WHERE kind = 'user' AND subject_id = p_user) d
    WHERE u.id = p_user));
END $$;
