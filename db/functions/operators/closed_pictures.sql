-- Lists the versions of pictures that operators' acts have closed: artwork of tracks that were taken down, and all
-- pictures of suspended users. They open again with the track or the user.
CREATE OR REPLACE FUNCTION closed_pictures() RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r.version), '[]') FROM (
    SELECT t.artwork_version AS version FROM takedowns d JOIN tracks t ON t.id = d.track_id
    UNION ALL SELECT u.avatar_version FROM suspensions s JOIN users u ON u.id = s.user_id
    UNION ALL SELECT t.artwork_version FROM suspensions s JOIN tracks t ON t.user_id = s.user_id
    UNION ALL SELECT p.artwork_version FROM suspensions s JOIN playlists p ON p.user_id = s.user_id) r
  WHERE r.version IS NOT NULL
$$;
