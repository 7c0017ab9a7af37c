CREATE OR REPLACE FUNCTION find_playlist(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_show text, p_held text,
  p_access text[] DEFAULT NULL
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN playlist_page(p_user, p_country, ARRAY[p_id], p_secret_hash, p_show, p_held, 0, p_access);
END $$;
