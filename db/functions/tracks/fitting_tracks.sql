-- Returns those of a few hundred tracks that the caller may see and that fit `p_filter` (as in `find_tracks`). So few are
-- tested one by one.
CREATE OR REPLACE FUNCTION fitting_tracks(p_user bigint, p_country text, p_ids bigint[], p_filter jsonb) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words(p_filter) END;
  query tsquery := match_both(words, search_labels(p_filter));
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  accesses text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  asked_sharing text := p_filter->>'sharing';
  bpm_from double precision := (p_filter->>'bpm_from')::double precision;
  bpm_to double precision := (p_filter->>'bpm_to')::double precision;
  duration_from bigint := (p_filter->>'duration_from')::bigint;
  duration_to bigint := (p_filter->>'duration_to')::bigint;
  id_from bigint := (p_filter->>'id_from')::bigint;
  id_to bigint := (p_filter->>'id_to')::bigint;
BEGIN
  -- Punctuation alone contains no word and matches nothing.
  IF p_filter ? 'words' AND words IS NULL THEN
    RETURN '{}';
  END IF;
  RETURN ARRAY(
    SELECT t.id
    FROM tracks t JOIN users o ON o.id = t.user_id,
      LATERAL (SELECT track_access_rule(o.disabled_at IS NOT NULL, t.taken_down_at IS NOT NULL, t.user_id = p_user, t.sharing = 'private', t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE, t.paywall,
        paying) AS access OFFSET 0) a
    WHERE t.id = ANY (p_ids) AND a.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
      AND (ids IS NULL OR t.id = ANY (ids))
      AND (accesses IS NULL OR a.access = ANY (accesses))
      AND (asked_sharing IS NULL OR t.sharing = asked_sharing)
      AND (bpm_from IS NULL OR t.bpm >= bpm_from) AND (bpm_to IS NULL OR t.bpm <= bpm_to)
      AND (duration_from IS NULL OR t.duration_ms >= duration_from)
      AND (duration_to IS NULL OR t.duration_ms <= duration_to)
      AND (id_from IS NULL OR t.id >= id_from) AND (id_to IS NULL OR t.id < id_to)
      AND (query IS NULL OR EXISTS (SELECT FROM track_search s WHERE s.id = t.id AND s.document @@ query)
        OR EXISTS (SELECT FROM track_search_unlisted s WHERE s.id = t.id AND s.document @@ query)));
END $$;
