-- Returns the reason why fields of a track or playlist are invalid, or null. An unchanged label is not checked. A day needs a
-- month, but no year: February then has 29 days.
CREATE OR REPLACE FUNCTION fields_fault(p_label bigint, p_year integer, p_month integer, p_day integer, p_link_is_taken boolean)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_label IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = p_label AND u.disabled_at IS NULL) THEN 'unknown_label'
    WHEN p_day > extract(day FROM make_date(coalesce(p_year, 2000), p_month, 1) + interval '1 month - 1 day') THEN 'no_such_date'
    WHEN p_link_is_taken THEN 'permalink_taken'
  END
$$;
