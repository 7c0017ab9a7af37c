-- Returns tracks that `reposted_by` reposted, by the id of the repost. Public matches and the reader's own unlisted
-- ones, up to `p_limit` each.
CREATE OR REPLACE FUNCTION find_reposted_tracks(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  sharing text := p_filter->>'sharing';
  unlisted_query tsquery := match_both(p_words, p_labels);
  -- Labels decide the access of others to listed tracks, so fewer are compared by the rule.
  query tsquery := match_both(unlisted_query, search_access(p_filter->'access', p_country,
    EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free')));
  statement text := 'SELECT r.place, search_rank(r.document, $1, $17) FROM (
      SELECT r.id AS place, s.document FROM reposts r JOIN %I s ON s.id = r.track_id
      WHERE %s AND r.user_id = $3 AND r.id >= $4 AND r.id < $5'
    || ' AND ($6 IS NULL OR s.document @@ $6)'
    || CASE WHEN p_filter ? 'ids' THEN ' AND s.id = ANY ($7)' ELSE '' END
    || CASE WHEN p_filter ? 'id_from' THEN ' AND s.id >= $8' ELSE '' END
    || CASE WHEN p_filter ? 'id_to' THEN ' AND s.id < $9' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_from' THEN ' AND s.bpm >= $10' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_to' THEN ' AND s.bpm <= $11' ELSE '' END
    || CASE WHEN p_filter ? 'duration_from' THEN ' AND s.duration_ms >= $12' ELSE '' END
    || CASE WHEN p_filter ? 'duration_to' THEN ' AND s.duration_ms <= $13' ELSE '' END
    || CASE WHEN p_filter ? 'access' THEN '
        AND $14 ? (SELECT track_access(t, $2, NULL, $15) FROM tracks t WHERE t.id = s.id)' ELSE '' END
    || ' ORDER BY r.id ' || CASE WHEN p_ascending THEN 'ASC' ELSE 'DESC' END || ' LIMIT $16) r';
  source record;
BEGIN
  FOR source IN
    SELECT 'track_search' AS name, 'true' AS condition WHERE sharing IS DISTINCT FROM 'private'
    UNION ALL
    SELECT 'track_search_unlisted', 's.user_id = $2'
      || CASE sharing WHEN 'public' THEN ' AND s.public' WHEN 'private' THEN ' AND NOT s.public' ELSE '' END
    WHERE p_user IS NOT NULL
  LOOP
    RETURN QUERY EXECUTE format(statement, source.name, source.condition) USING p_words, p_user,
      (p_filter->>'reposted_by')::bigint, p_from, p_to, CASE source.name WHEN 'track_search' THEN query ELSE unlisted_query END,
      ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint), (p_filter->>'id_from')::bigint,
      (p_filter->>'id_to')::bigint, (p_filter->>'bpm_from')::double precision, (p_filter->>'bpm_to')::double precision,
      (p_filter->>'duration_from')::bigint, (p_filter->>'duration_to')::bigint, p_filter->'access', p_country, p_limit,
      whole_in_names(p_words);
  END LOOP;
END $$;
