-- Finds a comment. `p_track` is the track it must belong to, or null.
CREATE OR REPLACE FUNCTION find_comment(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_id bigint, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('comment', (
    SELECT comment_rows(ARRAY[c.id])->0 FROM comments c
    WHERE c.id = p_id AND c.track_id = coalesce(p_track, c.track_id) AND sees_comment(c, p_user, p_secret_hash)));
END $$;
