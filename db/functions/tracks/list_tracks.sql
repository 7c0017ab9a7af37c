-- Returns a page of tracks that fit a filter and the caller sees. An owner's are placed by their first publication. Plans are generic, so that they are kept.
CREATE OR REPLACE FUNCTION list_tracks(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_held text
) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- Bounds the newest matches that are ranked, and thereby the cost of a common word.
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  marker bigint := coalesce(p_filter->>'favored_by', p_filter->>'reposted_by')::bigint;
  words tsquery;
  labels tsquery;
  ascending boolean := coalesce((p_page->>'ascending')::boolean, false);
  ranked boolean := coalesce((p_page->>'ranked')::boolean, false);
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := coalesce((p_page->>'offset')::integer, 0);
  wanted integer := page_limit + skipped + 1;
  after_id bigint := (p_page->>'id')::bigint;
  after_rank real := (p_page->>'rank')::real;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  -- Bounds of places. Where those are no ids, `find_listed_tracks` applies the bounds of track ids.
  from_id bigint := CASE WHEN coalesce(marker, owner) IS NULL THEN coalesce((p_filter->>'id_from')::bigint, 0) ELSE 0 END;
  to_id bigint := coalesce(CASE WHEN coalesce(marker, owner) IS NULL THEN (p_filter->>'id_to')::bigint END, 9223372036854775807);
  found bigint[] := '{}';
  page bigint[];
  bounded record;
  last integer;
  ranks real[] := '{}';
  best record;
  -- A track of just this title comes before all that name it among other words, however often.
  name CONSTANT text := searched_name(p_filter);
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF coalesce(owner, marker) IS NOT NULL
    AND NOT EXISTS (SELECT FROM users u WHERE u.id = coalesce(owner, marker) AND u.disabled_at IS NULL) THEN
    RETURN json_build_object('owner_found', false);
  END IF;
  -- A page of given ids without other filters needs no search.
  IF p_filter - 'ids' = '{}' AND jsonb_array_length(p_filter->'ids') <= page_limit AND after_id IS NULL AND skipped = 0 THEN
    SELECT array_agg(id::bigint ORDER BY CASE WHEN ascending THEN id::bigint ELSE -id::bigint END) INTO found
    FROM jsonb_array_elements_text(p_filter->'ids') id;
    SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, found, p_held);
    RETURN json_build_object('owner_found', true, 'tracks', bounded.page,
      'next', CASE WHEN bounded.covered < cardinality(found) THEN json_build_object('id', found[bounded.covered]) END);
  END IF;
  IF p_filter ? 'words' THEN
    words := search_words(p_filter);
    -- Punctuation alone contains no word and matches nothing.
    IF words IS NULL THEN
      SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, '{}', p_held);
      RETURN json_build_object('owner_found', true, 'tracks', bounded.page);
    END IF;
  END IF;
  labels := search_labels(p_filter);

  IF ranked AND (low IS NULL OR after_rank IS NOT NULL) THEN
    WITH newest AS MATERIALIZED (
      SELECT f.place, (f.rank + CASE WHEN coalesce(
          (SELECT is_named(t.title, name) FROM tracks t WHERE t.id = f.place AND coalesce(marker, owner) IS NULL),
          (SELECT is_named(t.title, name) FROM tracks t WHERE t.user_id = owner AND t.published_id = f.place))
        THEN 10 ELSE 0 END)::real AS rank
      FROM find_listed_tracks(p_user, p_country, p_filter, words, labels,
        coalesce(low, from_id), coalesce(high + 1, to_id), false, ranked_at_most) f
      ORDER BY f.place DESC LIMIT ranked_at_most)
    SELECT coalesce(array_agg(f.place), '{}') AS places, coalesce(array_agg(f.rank), '{}') AS ranks,
      -- Bounds of the ranked range.
      (SELECT ARRAY[CASE WHEN count(*) = ranked_at_most THEN min(n.place) ELSE from_id END, max(n.place)] FROM newest n) AS ends
    INTO best
    FROM (SELECT n.place, n.rank FROM newest n
      WHERE after_rank IS NULL OR (n.rank, n.place) < (after_rank, after_id)
      ORDER BY n.rank DESC, n.place DESC LIMIT wanted) f;
    found := best.places;
    ranks := best.ranks;
    IF low IS NULL THEN
      low := best.ends[1];
      high := best.ends[2];
    END IF;
    after_id := low;
  END IF;
  -- Continues newest first, below the ranked range.
  IF cardinality(found) < wanted AND NOT (ranked AND low = from_id) THEN
    IF ascending THEN
      from_id := greatest(from_id, after_id + 1);
    ELSE
      to_id := least(to_id, after_id);
    END IF;
    SELECT found || coalesce(array_agg(f.place ORDER BY CASE WHEN ascending THEN f.place ELSE -f.place END), '{}') INTO found
    FROM (SELECT f.place FROM find_listed_tracks(p_user, p_country, p_filter, NULL, match_both(words, labels), from_id,
        to_id, ascending, wanted - cardinality(found)) f
      ORDER BY CASE WHEN ascending THEN f.place ELSE -f.place END LIMIT wanted - cardinality(found)) f;
  END IF;

  page := found[skipped + 1 : wanted - 1];
  IF marker IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(f.track_id ORDER BY array_position($2, f.id)) FROM %I f
      WHERE f.user_id = $1 AND f.id = ANY ($2)', CASE WHEN p_filter ? 'reposted_by' THEN 'reposts' ELSE 'favorites' END)
    INTO page USING marker, page;
  ELSIF owner IS NOT NULL THEN
    SELECT array_agg(t.id ORDER BY array_position(page, t.published_id)) INTO page
    FROM tracks t WHERE t.user_id = owner AND t.published_id = ANY (page);
  END IF;
  SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, page, p_held);
  last := skipped + least(bounded.covered, page_limit);
  RETURN json_build_object('owner_found', true, 'tracks', bounded.page,
    'next', CASE WHEN cardinality(found) > last THEN json_strip_nulls(json_build_object(
      'id', found[last], 'rank', ranks[last], 'low', low, 'high', high)) END);
END $$;
