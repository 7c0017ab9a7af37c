CREATE OR REPLACE FUNCTION list_track_comments(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_secret_hash bytea, p_before bigint, p_offset integer,
  p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  reveals boolean;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT t.reveal_comments OR t.user_id IS NOT DISTINCT FROM p_user INTO reveals FROM tracks t
  WHERE t.id = p_track AND track_access(t, p_user, p_secret_hash, NULL) <> 'none';
  IF NOT FOUND THEN
    RETURN json_build_object('found', false);
  END IF;
  RETURN json_build_object('found', true, 'comments', comment_rows(ARRAY(
    SELECT c.id FROM comments c
    WHERE c.track_id = p_track AND c.id < p_before AND (reveals OR c.user_id = p_user)
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = c.user_id AND u.disabled_at IS NOT NULL)
    ORDER BY c.id DESC OFFSET p_offset LIMIT p_limit)));
END $$;
