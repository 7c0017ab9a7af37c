-- Returns playlists in the order of `p_ids`. `p_show` adds ids (`ids`), or also the tracks of `track_page` (`tracks`),
-- by id alone once descriptions exceed 4 MiB. The page holds at least one playlist and at most `p_most` tracks; `shown`
-- counts its playlists.
CREATE OR REPLACE FUNCTION playlist_page(
  p_user bigint, p_country text, p_ids bigint[], p_secret_hash bytea, p_show text, p_held text, p_most integer,
  p_access text[] DEFAULT NULL
) RETURNS jsonb LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  playlists jsonb;
  track_ids_of_page bigint[];
  opened bigint[];
BEGIN
  WITH counted AS MATERIALIZED (
    SELECT n.place, r.row, r.track_ids, r.opened,
      sum(cardinality(r.track_ids)) OVER (ORDER BY n.place) AS sum_of_tracks
    FROM unnest(p_ids) WITH ORDINALITY AS n(id, place) JOIN playlists p ON p.id = n.id,
      LATERAL playlist_row(p, p_user, p_secret_hash, p_country, p_access) r
    WHERE playlist_is_visible(p, p_user, p_secret_hash)
  ), fitting AS MATERIALIZED (
    SELECT * FROM counted
    WHERE p_show <> 'tracks' OR sum_of_tracks <= p_most OR place = (SELECT min(place) FROM counted)
  )
  SELECT coalesce(jsonb_agg(k.row || CASE WHEN p_show = 'none' THEN '{}' ELSE jsonb_build_object('track_ids', k.track_ids) END
      ORDER BY k.place), '[]'),
    (SELECT array_agg(h.id ORDER BY h.first) FROM (
      SELECT t.id, min((k.place, t.place)) AS first FROM fitting k, unnest(k.track_ids) WITH ORDINALITY AS t(id, place)
      GROUP BY t.id) h),
    (SELECT array_agg(DISTINCT o) FROM fitting k, unnest(k.opened) o)
  INTO playlists, track_ids_of_page, opened FROM fitting k;
  RETURN jsonb_build_object('playlists', playlists, 'tracks', CASE WHEN p_show = 'tracks' THEN
    (SELECT t.page FROM track_page(p_user, p_country, coalesce(track_ids_of_page, '{}'), p_held,
      coalesce(opened, '{}'), false, NULL, 4 * 1024 * 1024) t) END);
END $$;
