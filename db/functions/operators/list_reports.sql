-- Lists reports in a state, or all: the open ones oldest first, because they wait; others newest first.
CREATE OR REPLACE FUNCTION list_reports(p_state text, p_after bigint, p_limit integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_state = 'open' THEN
    RETURN (SELECT coalesce(jsonb_agg(report_row(f.r) ORDER BY (f.r).id), '[]') FROM (
      SELECT r FROM reports r WHERE r.state = 'open' AND r.id > coalesce(p_after, 0) ORDER BY r.id LIMIT p_limit) f);
  END IF;
  RETURN (SELECT coalesce(jsonb_agg(report_row(f.r) ORDER BY (f.r).id DESC), '[]') FROM (
    SELECT r FROM reports r
    WHERE (p_state IS NULL OR r.state = p_state) AND r.id < coalesce(p_after, 9223372036854775807)
    ORDER BY r.id DESC LIMIT p_limit) f);
END $$;
