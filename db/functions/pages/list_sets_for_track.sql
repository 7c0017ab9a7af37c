-- Returns a track that the user sees, and a page of the user's own playlists, newest first, each with whether it holds
-- the track.
CREATE OR REPLACE FUNCTION list_sets_for_track(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_before bigint
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  page_size CONSTANT integer := 100;
  track json;
  sets json;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT site_item(t, a.access) INTO track FROM tracks t, LATERAL (SELECT track_access(t, p_user, NULL, NULL) AS access) a
  WHERE t.id = p_track AND a.access <> 'none';
  IF track IS NOT NULL THEN
    SELECT json_agg(s ORDER BY s.id DESC) INTO sets FROM (
      SELECT p.id, p.title, p.permalink, p.sharing, p.artwork_version,
        (SELECT count(*) FROM playlist_entries(p, p_user, NULL, NULL)) AS track_count,
        EXISTS (SELECT FROM playlist_tracks e WHERE e.playlist_id = p.id AND e.track_id = p_track) AS holds
      FROM playlists p WHERE p.user_id = p_user AND p.id < coalesce(p_before, 9223372036854775807)
      ORDER BY p.id DESC LIMIT page_size + 1) s;
  END IF;
  RETURN json_build_object('track', track, 'sets', coalesce(sets, '[]'),
    'owner', (SELECT u.permalink FROM users u WHERE u.id = p_user AND track IS NOT NULL));
END $$;
