-- Returns fitting listed tracks between `p_from` and `p_to`, using the named index. One plan serves all
-- filters. Ids must only select ranges, so bounds are hidden from the planner and page costs are zero.
CREATE OR REPLACE FUNCTION walk_tracks(
  p_user bigint, p_country text, p_paying boolean, p_filter jsonb, p_by_index text, p_looked_up tsquery, p_rest tsquery,
  p_words tsquery, p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET seq_page_cost = 0 SET random_page_cost = 0 AS $$
DECLARE
  owner bigint := (p_filter->>'owner')::bigint;
  favoriter bigint := (p_filter->>'favored_by')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  access text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  bpm_from double precision := (p_filter->>'bpm_from')::double precision;
  bpm_to double precision := (p_filter->>'bpm_to')::double precision;
  duration_from bigint := (p_filter->>'duration_from')::bigint;
  duration_to bigint := (p_filter->>'duration_to')::bigint;
  id_from bigint := coalesce((p_filter->>'id_from')::bigint, 0);
  id_to bigint := coalesce((p_filter->>'id_to')::bigint, 9223372036854775807);
  query tsquery := match_both(p_looked_up, p_rest);
  names tsquery := whole_in_names(p_words);
BEGIN
  CASE p_by_index
  WHEN 'document' THEN
    RETURN QUERY SELECT s.id, search_rank(s.document, p_words, names) FROM track_search s
    WHERE s.document @@ p_looked_up AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits(s, p_rest, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'bpm' THEN
    RETURN QUERY SELECT s.id, search_rank(s.document, p_words, names) FROM track_search s
    WHERE s.bpm >= coalesce(bpm_from, '-Infinity') AND s.bpm <= coalesce(bpm_to, 'Infinity')
      AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits(s, query, NULL, NULL, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'duration' THEN
    RETURN QUERY SELECT s.id, search_rank(s.document, p_words, names) FROM track_search s
    WHERE s.duration_ms >= coalesce(duration_from, 0) AND s.duration_ms <= coalesce(duration_to, 9223372036854775807)
      AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits(s, query, bpm_from, bpm_to, NULL, NULL, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'id' THEN
    RETURN QUERY SELECT s.id, search_rank(s.document, p_words, names) FROM track_search s
    WHERE s.id = ANY (ids) AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'owner' THEN
    RETURN QUERY SELECT t.published_id, search_rank(s.document, p_words, names)
    FROM tracks t, LATERAL (SELECT * FROM track_search s WHERE s.id = t.id OFFSET 0) s
    WHERE t.user_id = owner AND t.published_id >= ANY (ARRAY[p_from]) AND t.published_id < ANY (ARRAY[p_to])
      AND t.id >= id_from AND t.id < id_to AND (ids IS NULL OR t.id = ANY (ids))
      AND listed_track_fits(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN t.published_id ELSE -t.published_id END LIMIT p_limit;
  WHEN 'favorite' THEN
    RETURN QUERY SELECT f.id, search_rank(s.document, p_words, names)
    FROM favorites f, LATERAL (SELECT * FROM track_search s WHERE s.id = f.track_id OFFSET 0) s
    WHERE f.user_id = favoriter AND f.id >= p_from AND f.id < p_to AND s.id >= id_from AND s.id < id_to
      AND (owner IS NULL OR s.user_id = owner) AND (ids IS NULL OR s.id = ANY (ids))
      AND listed_track_fits(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY f.id DESC LIMIT p_limit;
  WHEN 'favorite, oldest first' THEN
    RETURN QUERY SELECT f.id, search_rank(s.document, p_words, names)
    FROM favorites f, LATERAL (SELECT * FROM track_search s WHERE s.id = f.track_id OFFSET 0) s
    WHERE f.user_id = favoriter AND f.id >= p_from AND f.id < p_to AND s.id >= id_from AND s.id < id_to
      AND (owner IS NULL OR s.user_id = owner) AND (ids IS NULL OR s.id = ANY (ids))
      AND listed_track_fits(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY f.id LIMIT p_limit;
  END CASE;
END $$;
