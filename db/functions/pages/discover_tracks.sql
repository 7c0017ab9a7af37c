-- Returns the newest tracks of the site and the most played among the newest few hundred, of one genre or of all
-- (null). Only tracks that play for everybody appear. `genres` are the most frequent of the same tracks. A session that
-- has ended reads as a visitor. `p_held` lists what the Worker holds, as in `track_page`.
CREATE OR REPLACE FUNCTION discover_tracks(
  p_session bigint, p_user bigint, p_country text, p_genre text, p_newest integer, p_popular integer, p_held text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  weighed_at_most CONSTANT integer := 500;
  genres_at_most CONSTANT integer := 24;
  reader bigint := CASE WHEN session_is_live(p_session, 'site', p_user) THEN p_user END;
  found record;
BEGIN
  WITH heard AS MATERIALIZED (
    -- A hidden count ranks nobody.
    SELECT t.id, t.genre, CASE WHEN t.reveal_stats THEN t.playback_count + 5 * t.favoritings_count ELSE 0 END AS weight
    FROM (SELECT f.place FROM find_tracks(NULL, p_country, '{}', NULL,
        search_any_label('genre', CASE WHEN p_genre IS NOT NULL THEN jsonb_build_array(p_genre) END),
        0, 9223372036854775807, false, weighed_at_most) f
      ORDER BY f.place DESC LIMIT weighed_at_most) f
    JOIN tracks t ON t.id = f.place
    WHERE t.state = 'finished' AND t.streamable AND t.available_country_codes IS NULL AND t.paywall IS NULL)
  SELECT ARRAY(SELECT h.id FROM heard h ORDER BY h.id DESC LIMIT p_newest) AS newest,
    ARRAY(SELECT h.id FROM heard h WHERE h.weight > 0 ORDER BY h.weight DESC, h.id DESC LIMIT p_popular) AS popular,
    ARRAY(SELECT min(h.genre) FROM heard h WHERE h.genre <> '' GROUP BY lower(h.genre)
      ORDER BY count(*) DESC, lower(h.genre) LIMIT genres_at_most) AS genres
  INTO found;
  RETURN (SELECT json_build_object('tracks', p.page, 'newest', found.newest, 'popular', found.popular,
      'genres', found.genres, 'is_signed_in', reader IS NOT NULL)
    FROM bounded_track_page(reader, p_country, ARRAY(SELECT DISTINCT unnest(found.newest || found.popular)), p_held) p);
END $$;
