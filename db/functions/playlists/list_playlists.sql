-- Returns a page of playlists. `p_filter` holds `owner`, `ids`, `words`, `phrases`, and `favored_by` or `reposted_by`,
-- which list that user's latest marks first.
CREATE OR REPLACE FUNCTION list_playlists(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_show text, p_held text,
  p_most integer, p_access text[]
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  marker bigint := coalesce(p_filter->>'favored_by', p_filter->>'reposted_by')::bigint;
  named bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  words tsquery;
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := coalesce((p_page->>'offset')::integer, 0);
  wanted integer := page_limit + skipped + 1;
  after_id bigint := (p_page->>'id')::bigint;
  after_rank real := (p_page->>'rank')::real;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  found bigint[] := '{}';
  ranks real[] := '{}';
  ids bigint[];
  page jsonb;
  last integer;
  -- A playlist of just this title comes before all that name it among other words, however often.
  name CONSTANT text := searched_name(p_filter);
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF coalesce(owner, marker) IS NOT NULL
    AND NOT EXISTS (SELECT FROM users u WHERE u.id = coalesce(owner, marker) AND u.disabled_at IS NULL) THEN
    RETURN jsonb_build_object('owner_found', false);
  END IF;
  IF NOT p_filter ? 'words' AND marker IS NULL THEN
    found := newest_playlists(p_user, owner, named, coalesce(after_id, 9223372036854775807), wanted);
  ELSIF NOT p_filter ? 'words' THEN
    found := ARRAY(SELECT f.place FROM find_playlists(p_user, p_filter, NULL, 0, after_id, wanted) f);
  ELSE
    words := search_words(p_filter);
    IF low IS NULL OR after_rank IS NOT NULL THEN
      SELECT coalesce(array_agg(f.place ORDER BY f.place DESC), '{}'), coalesce(array_agg(f.rank ORDER BY f.place DESC), '{}')
      INTO found, ranks
      FROM (
        SELECT f.place, (f.rank + CASE WHEN (SELECT is_named(p.title, name) FROM playlists p WHERE p.id = f.place AND marker IS NULL)
          THEN 10 ELSE 0 END)::real AS rank
        FROM find_playlists(p_user, p_filter, words, coalesce(low, 0), high + 1, ranked_at_most) f) f;
      IF low IS NULL THEN
        high := found[1];
        low := CASE WHEN cardinality(found) = ranked_at_most THEN found[ranked_at_most] ELSE 0 END;
      END IF;
      SELECT coalesce(array_agg(f.place ORDER BY f.rank DESC, f.place DESC), '{}'),
        coalesce(array_agg(f.rank ORDER BY f.rank DESC, f.place DESC), '{}')
      INTO found, ranks
      FROM unnest(found, ranks) AS f(place, rank) WHERE after_rank IS NULL OR (f.rank, f.place) < (after_rank, after_id);
      after_id := low;
    END IF;
    IF cardinality(found) < wanted AND low > 0 THEN
      found := found || ARRAY(SELECT f.place
        FROM find_playlists(p_user, p_filter, words, 0, after_id, wanted - cardinality(found)) f);
    END IF;
  END IF;
  ids := found[skipped + 1 : wanted - 1];
  IF marker IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(m.playlist_id ORDER BY array_position($2, m.id)) FROM %I m
      WHERE m.user_id = $1 AND m.id = ANY ($2)', playlist_marks(p_filter)) INTO ids USING marker, ids;
  ELSIF owner IS NOT NULL AND NOT p_filter ? 'words' THEN
    ids := ARRAY(SELECT p.id FROM playlists p WHERE p.user_id = owner AND p.published_id = ANY (ids) ORDER BY p.published_id DESC);
  END IF;
  page := playlist_page(p_user, p_country, ids, NULL, p_show, p_held, p_most, p_access);
  last := skipped + jsonb_array_length(page->'playlists');
  RETURN page || jsonb_build_object('owner_found', true,
    'next', CASE WHEN cardinality(found) > last THEN jsonb_strip_nulls(jsonb_build_object(
      'id', found[last], 'rank', ranks[last], 'low', low, 'high', high)) END);
END $$;
