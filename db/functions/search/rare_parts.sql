-- Returns the parts of a query to look up in the index. If a sample lacks one part, common parts are compared row by
-- row instead. GIN would read every place of a common part.
CREATE OR REPLACE FUNCTION rare_parts(p_parts tsquery[], p_from bigint, p_to bigint) RETURNS tsquery[] LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  sampled CONSTANT integer := 300;
  common CONSTANT integer := 15;
  found integer[];
BEGIN
  IF cardinality(p_parts) < 2 THEN
    RETURN p_parts;
  END IF;
  WITH sample AS MATERIALIZED (
    SELECT s.document FROM track_search s WHERE s.id >= p_from AND s.id < p_to ORDER BY s.id DESC LIMIT sampled)
  SELECT array_agg((SELECT count(*) FROM sample s WHERE ts_match_vq(s.document, part)) ORDER BY place) INTO found
  FROM unnest(p_parts) WITH ORDINALITY AS p(part, place);
  RETURN CASE WHEN 0 = ANY (found) THEN ARRAY(
    SELECT part FROM unnest(p_parts, found) AS p(part, found) WHERE p.found < common) ELSE p_parts END;
END $$;
