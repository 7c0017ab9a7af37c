-- Combines queries, so that a match must satisfy all of them.
CREATE OR REPLACE FUNCTION match_all(p_parts tsquery[]) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('(' || part::text || ')', ' & ')::tsquery FROM unnest(p_parts) part
$$;
