-- Deletes up to `p_limit` windows that ended and returns their number.
CREATE OR REPLACE FUNCTION forget_budgets(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH forgotten AS (
    DELETE FROM budgets WHERE bucket IN (
      SELECT bucket FROM budgets WHERE ends_at < now() ORDER BY ends_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::integer FROM forgotten
$$;
