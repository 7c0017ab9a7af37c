-- Returns a page of a playlist's tracks, in order. A place is a position in the playlist.
CREATE OR REPLACE FUNCTION set_tracks(p_playlist bigint, p_after bigint, p_secret_hash bytea, p_country text, p_reader bigint)
RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  page_limit CONSTANT integer := 50;
BEGIN
  RETURN (
    SELECT json_build_object(
      'items', coalesce(json_agg(json_build_object('track', track_row(e.t, p_reader, e.access), 'playlist', NULL, 'user', NULL,
        'follows', false) ORDER BY e.turn) FILTER (WHERE e.turn <= page_limit), '[]'),
      'next', CASE WHEN count(*) > page_limit THEN max(e.position) FILTER (WHERE e.turn = page_limit) END)
    FROM (
      SELECT e.t, e.access, e.position, row_number() OVER (ORDER BY e.position) AS turn
      FROM playlists p, LATERAL playlist_entries(p, p_reader, p_secret_hash, p_country) e
      WHERE p.id = p_playlist AND (p_after IS NULL OR e.position > p_after)
      ORDER BY e.position LIMIT page_limit + 1) e);
END $$;
