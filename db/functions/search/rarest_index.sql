-- Returns the index for walking ranges: that of the condition rarest in a sample of `p_range`. NULL without conditions.
CREATE OR REPLACE FUNCTION rarest_index(p_filter jsonb, p_query tsquery, p_range text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  by_bpm boolean := p_filter ?| ARRAY['bpm_from', 'bpm_to'];
  by_duration boolean := p_filter ?| ARRAY['duration_from', 'duration_to'];
  rarest text := CASE WHEN p_query IS NOT NULL THEN 'document' WHEN by_bpm THEN 'bpm' WHEN by_duration THEN 'duration' END;
BEGIN
  IF (p_query IS NOT NULL)::integer + by_bpm::integer + by_duration::integer > 1 THEN
    EXECUTE format($sample$
      SELECT index FROM (
        SELECT count(*) FILTER (WHERE s.document @@ $1) AS documents,
          count(*) FILTER (WHERE s.bpm BETWEEN $4 AND $5) AS bpms,
          count(*) FILTER (WHERE s.duration_ms BETWEEN $6 AND $7) AS durations
        FROM (SELECT * FROM %I ORDER BY id DESC LIMIT 200) s) c,
        LATERAL (VALUES ('document', $1 IS NOT NULL, documents), ('bpm', $2, bpms), ('duration', $3, durations))
          i(index, asked, found)
      WHERE asked ORDER BY found LIMIT 1 $sample$, p_range) INTO rarest
    USING p_query, by_bpm, by_duration,
      coalesce((p_filter->>'bpm_from')::double precision, '-Infinity'), coalesce((p_filter->>'bpm_to')::double precision, 'Infinity'),
      coalesce((p_filter->>'duration_from')::bigint, 0), coalesce((p_filter->>'duration_to')::bigint, 9223372036854775807);
  END IF;
  RETURN rarest;
END $$;
