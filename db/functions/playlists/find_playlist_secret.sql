-- Returns the secret to the playlist's owner.
CREATE OR REPLACE FUNCTION find_playlist_secret(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  sealed bytea;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT secret_sealed INTO sealed FROM playlists WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_playlist(p_user, p_id);
  END IF;
  RETURN jsonb_build_object('outcome', 'done', 'secret_sealed', encode(sealed, 'base64'));
END $$;
