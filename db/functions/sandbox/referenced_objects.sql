CREATE OR REPLACE FUNCTION referenced_objects() RETURNS TABLE (prefix text, bucket text) LANGUAGE sql STABLE AS $$
  SELECT original_key, 'uploads' FROM tracks
  UNION SELECT media_prefix, 'media' FROM tracks WHERE media_prefix IS NOT NULL
  UNION SELECT 'images/' || version || '/', 'media' FROM (
    SELECT artwork_version FROM tracks UNION ALL SELECT artwork_version FROM playlists UNION ALL SELECT avatar_version FROM users
  ) AS shown (version) WHERE version IS NOT NULL
$$;
