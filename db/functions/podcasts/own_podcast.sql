-- Returns the podcast fields of the caller's own set.
CREATE OR REPLACE FUNCTION own_podcast(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM playlists WHERE id = p_id AND user_id = p_user;
  RETURN CASE WHEN FOUND THEN podcast_reply(p_id) ELSE not_own_playlist(p_user, p_id) END;
END $$;
