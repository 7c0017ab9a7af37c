-- Tells whether a release date is possible. A day needs a month, but no year: February then has 29 days.
CREATE OR REPLACE FUNCTION is_release_date(p_year integer, p_month integer, p_day integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_day IS NULL OR p_month IS NULL
    OR p_day <= extract(day FROM make_date(coalesce(p_year, 2000), p_month, 1) + interval '1 month - 1 day')
$$;
