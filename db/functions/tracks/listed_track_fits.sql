-- Tells whether a listed track fits a filter. Null parameters ask nothing.
CREATE OR REPLACE FUNCTION listed_track_fits(
  s track_search, p_query tsquery, p_bpm_from double precision, p_bpm_to double precision, p_duration_from bigint, p_duration_to bigint,
  p_access text[], p_user bigint, p_country text, p_paying boolean
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (p_query IS NULL OR ts_match_vq(s.document, p_query))
    AND (p_bpm_from IS NULL OR s.bpm >= p_bpm_from) AND (p_bpm_to IS NULL OR s.bpm <= p_bpm_to)
    AND (p_duration_from IS NULL OR s.duration_ms >= p_duration_from)
    AND (p_duration_to IS NULL OR s.duration_ms <= p_duration_to)
    AND (p_access IS NULL OR listed_track_access(s.id, p_user, p_country, p_paying) = ANY (p_access))
$$;
