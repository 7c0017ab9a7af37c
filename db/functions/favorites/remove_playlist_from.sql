CREATE OR REPLACE FUNCTION remove_playlist_from(
  p_session bigint, p_client text, p_user bigint, p_table text, p_id bigint, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  p playlists;
  taken integer;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO p FROM playlists WHERE id = p_id FOR KEY SHARE;
  EXECUTE format('DELETE FROM %I WHERE user_id = $1 AND playlist_id = $2', p_table) USING p_user, p_id;
  GET DIAGNOSTICS taken = ROW_COUNT;
  RETURN json_build_object('found', taken > 0
    OR p.id IS NOT NULL AND playlist_is_visible(p, p_user, p_secret_hash));
END $$;
