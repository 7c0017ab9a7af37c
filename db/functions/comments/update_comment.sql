-- Changes a comment for its author. `p_changes` holds columns, `p_expected` the accepted values of `updated_at`, or
-- null.
CREATE OR REPLACE FUNCTION update_comment(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_id bigint, p_secret_hash bytea, p_changes jsonb,
  p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  stored comments;
  wanted comments;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO stored FROM comments c
  WHERE c.id = p_id AND c.track_id = p_track AND sees_comment(c, p_user, p_secret_hash) FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF stored.user_id <> p_user THEN
    RETURN json_build_object('outcome', 'not_yours');
  ELSIF stored.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('outcome', 'changed');
  END IF;
  wanted := jsonb_populate_record(stored, p_changes);
  IF wanted IS DISTINCT FROM stored THEN
    UPDATE comments SET body = wanted.body, sanitizer_version = wanted.sanitizer_version,
      timestamp_ms = wanted.timestamp_ms, updated_at = now()
    WHERE id = p_id;
  END IF;
  RETURN json_build_object('outcome', 'done', 'comment', comment_rows(ARRAY[p_id])->0);
END $$;
