-- Finds a playlist with a page of its tracks (`track_page`), by id alone once descriptions exceed 4 MiB. Uses `json`
-- throughout, because `jsonb` would parse and print the text again.
CREATE OR REPLACE FUNCTION find_cached_playlist(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_show text, p_held text,
  p_access text[]
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  source playlists;
  listed record;
BEGIN
  IF p_show <> 'tracks' OR p_access IS NOT NULL THEN
    RETURN find_playlist(p_session, p_client, p_user, p_id, p_secret_hash, p_country, p_show, p_held, p_access);
  END IF;
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO source FROM playlists p WHERE p.id = p_id AND playlist_is_visible(p, p_user, p_secret_hash);
  IF NOT FOUND THEN
    RETURN json_build_object('playlists', '[]'::json, 'tracks', NULL);
  END IF;
  SELECT * INTO listed FROM track_page(p_user, p_country,
    ARRAY(SELECT e.track_id FROM playlist_tracks e WHERE e.playlist_id = p_id ORDER BY e.position),
    p_held, '{}', true, CASE WHEN source.secret_hash = p_secret_hash THEN source.user_id END,
    4 * 1024 * 1024);
  RETURN json_build_object('tracks', listed.page,
    'playlists', json_build_array(playlist_body(source, p_user, listed.told)));
END $$;
