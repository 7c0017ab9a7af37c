-- Returns playlists in the order of `p_ids`. `p_show` adds ids (`ids`), or also the tracks of `track_page` (`tracks`),
-- by id alone once descriptions exceed 4 MiB. The page holds at least one playlist and at most `p_most` tracks, and reads no
-- playlist behind the one that is too much.
CREATE OR REPLACE FUNCTION playlist_page(
  p_user bigint, p_country text, p_ids bigint[], p_secret_hash bytea, p_show text, p_held text, p_most integer,
  p_access text[] DEFAULT NULL
) RETURNS jsonb LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  one bigint;
  read record;
  playlists jsonb[] := '{}';
  track_ids bigint[] := '{}';
  opened bigint[] := '{}';
BEGIN
  FOREACH one IN ARRAY coalesce(p_ids, '{}') LOOP
    SELECT r.* INTO read FROM playlists p, LATERAL playlist_row(p, p_user, p_secret_hash, p_country, p_access) r
    WHERE p.id = one AND playlist_is_visible(p, p_user, p_secret_hash);
    CONTINUE WHEN NOT FOUND;
    IF p_show = 'tracks' THEN
      EXIT WHEN playlists <> '{}' AND cardinality(track_ids) + cardinality(read.track_ids) > p_most;
      track_ids := track_ids || read.track_ids;
      opened := opened || read.opened;
    END IF;
    playlists := playlists
      || (read.row || CASE WHEN p_show = 'none' THEN '{}' ELSE jsonb_build_object('track_ids', read.track_ids) END);
  END LOOP;
  RETURN jsonb_build_object('playlists', to_jsonb(playlists), 'tracks', CASE WHEN p_show = 'tracks' THEN
    (SELECT t.page FROM track_page(p_user, p_country, ARRAY(
        SELECT l.id FROM unnest(track_ids) WITH ORDINALITY AS l(id, place) GROUP BY l.id ORDER BY min(l.place)),
      p_held, opened, false, NULL, 4 * 1024 * 1024) t) END);
END $$;
