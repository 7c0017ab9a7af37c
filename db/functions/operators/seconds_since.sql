-- Zero for null: nothing waits.
CREATE OR REPLACE FUNCTION seconds_since(p_moment timestamptz) RETURNS double precision LANGUAGE sql STABLE AS $$
  SELECT coalesce(greatest(0, extract(epoch FROM now() - p_moment)), 0)
$$;
