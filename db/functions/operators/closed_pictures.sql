-- Lists the versions of closed pictures: artwork of tracks that were taken down, and all pictures of users who are suspended
-- or have left. They open again with the track or the user. Those of a leaver, and artwork that the owner of such a track
-- replaced, stay on the list until caches have them no more, or one that was closed would open again.
CREATE OR REPLACE FUNCTION closed_pictures() RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r.version), '[]') FROM (
    SELECT t.artwork_version AS version FROM takedowns d JOIN tracks t ON t.id = d.track_id
    UNION ALL SELECT split_part(g.prefix, '/', 2) FROM object_garbage g WHERE g.closed
    UNION ALL SELECT u.avatar_version FROM users u WHERE u.disabled_at IS NOT NULL
    UNION ALL SELECT t.artwork_version FROM users u JOIN tracks t ON t.user_id = u.id WHERE u.disabled_at IS NOT NULL
    UNION ALL SELECT p.artwork_version FROM users u JOIN playlists p ON p.user_id = u.id
      WHERE u.disabled_at IS NOT NULL) r
  WHERE r.version IS NOT NULL
$$;
