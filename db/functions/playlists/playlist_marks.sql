-- Returns the table of marks that a filter lists. Null if it lists playlists themselves.
CREATE OR REPLACE FUNCTION playlist_marks(p_filter jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_filter ? 'favored_by' THEN 'playlist_favorites' WHEN p_filter ? 'reposted_by' THEN 'playlist_reposts' END
$$;
