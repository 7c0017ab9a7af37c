-- Creates a comment. Waits for a concurrent deletion of the track or of the comment that it replies to, then reports it unknown.
-- `parent_id` of `p_comment` names any comment of a thread, and the new one joins it.
CREATE OR REPLACE FUNCTION create_comment(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_secret_hash bytea, p_comment jsonb, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  spent jsonb;
  parent comments;
  made comments;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO t FROM tracks WHERE id = p_track FOR KEY SHARE;
  IF NOT FOUND OR track_access(t, p_user, p_secret_hash, NULL) = 'none' THEN
    RETURN json_build_object('outcome', 'unknown_track');
  ELSIF NOT t.commentable THEN
    RETURN json_build_object('outcome', 'not_commentable');
  END IF;
  IF p_comment->>'parent_id' IS NOT NULL THEN
    SELECT c.* INTO parent FROM comments c JOIN users u ON u.id = c.user_id
    WHERE c.id = (p_comment->>'parent_id')::bigint AND c.track_id = p_track AND u.disabled_at IS NULL
      AND (t.reveal_comments OR p_user IN (t.user_id, c.user_id))
    FOR KEY SHARE OF c;
    IF NOT FOUND THEN
      RETURN json_build_object('outcome', 'unknown_parent');
    END IF;
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  INSERT INTO comments (track_id, user_id, body, sanitizer_version, timestamp_ms, parent_id)
  SELECT p_track, p_user, n.body, n.sanitizer_version, coalesce(n.timestamp_ms, parent.timestamp_ms),
    coalesce(parent.parent_id, parent.id)
  FROM jsonb_populate_record(NULL::comments, p_comment) n
  RETURNING * INTO made;
  RETURN json_build_object('outcome', 'done', 'spent', spent, 'comment', (
    SELECT json_build_object('id', made.id, 'track_id', made.track_id, 'user_id', made.user_id,
      'created_at', id_created_at(made.id), 'updated_at', made.updated_at, 'body', made.body, 'timestamp_ms', made.timestamp_ms,
      'parent_id', made.parent_id,
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
