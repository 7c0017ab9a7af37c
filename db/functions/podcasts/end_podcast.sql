-- Removes the podcast fields of the caller's own set. The set and its feed stay.
CREATE OR REPLACE FUNCTION end_podcast(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM playlists WHERE id = p_id AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_playlist(p_user, p_id);
  END IF;
  DELETE FROM podcasts WHERE playlist_id = p_id;
  IF FOUND THEN
    -- The feed's date must not fall back.
    UPDATE playlists SET updated_at = now() WHERE id = p_id;
  END IF;
  RETURN '{"outcome": "done"}';
END $$;
