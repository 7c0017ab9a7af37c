-- For its owner alone.
CREATE OR REPLACE FUNCTION find_playlist_secret(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  sealed bytea;
BEGIN
  IF NOT session_is_live(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  SELECT secret_sealed INTO sealed FROM playlists WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_playlist(p_user, p_id);
  END IF;
  RETURN jsonb_build_object('auth_ok', true, 'outcome', 'done', 'secret_sealed', encode(sealed, 'base64'));
END $$;
