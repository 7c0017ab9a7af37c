-- Returns tracks of users whom the caller follows, newest publication first, or oldest with `ascending`. `p_filter` is
-- that of `find_tracks`. `p_page` holds `limit`, `offset` and `key`, the previous page's end; `next` continues.
CREATE OR REPLACE FUNCTION list_followed_tracks(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_held text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- Bounds the posts examined if hardly any tracks fit.
  looked_at_most CONSTANT integer := 20000;
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := (p_page->>'offset')::integer;
  ascending boolean := coalesce((p_page->>'ascending')::boolean, false);
  after_key bigint := (p_page->>'key')::bigint;
  below bigint := CASE WHEN NOT ascending THEN after_key END;
  wanted integer := page_limit + skipped + 1;
  asked integer := CASE WHEN ascending THEN looked_at_most ELSE wanted END;
  looked integer := 0;
  met bigint[];
  met_tracks bigint[];
  places bigint[] := '{}';
  tracks bigint[] := '{}';
  bounded record;
  last integer;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  LOOP
    SELECT coalesce(array_agg(f.place ORDER BY f.place DESC), '{}'), coalesce(array_agg(f.subject_id ORDER BY f.place DESC), '{}')
    INTO met, met_tracks
    FROM followed_posts(p_user, '{track}', below, CASE WHEN ascending THEN after_key END, asked) f;
    SELECT places || coalesce(array_agg(m.place ORDER BY m.place DESC), '{}'),
      tracks || coalesce(array_agg(m.track ORDER BY m.place DESC), '{}')
    INTO places, tracks
    FROM unnest(met, met_tracks) AS m(place, track)
    JOIN unnest(fitting_tracks(p_user, p_country, met_tracks, p_filter)) AS f(id) ON f.id = m.track;
    looked := looked + cardinality(met);
    below := met[cardinality(met)];
    EXIT WHEN ascending OR cardinality(tracks) >= wanted OR cardinality(met) < asked OR looked >= looked_at_most;
    asked := least(asked * 4, looked_at_most - looked);
  END LOOP;
  IF ascending THEN
    SELECT coalesce(array_agg(l.place ORDER BY l.place), '{}'), coalesce(array_agg(l.track ORDER BY l.place), '{}')
    INTO places, tracks FROM unnest(places, tracks) AS l(place, track);
  END IF;
  SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, tracks[skipped + 1 : skipped + page_limit], p_held);
  last := skipped + bounded.covered;
  RETURN json_build_object('found', true, 'tracks', bounded.page,
    'next', CASE WHEN cardinality(tracks) > last THEN json_build_object('key', places[last]) END);
END $$;
