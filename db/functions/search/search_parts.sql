-- Splits a query into the parts that must all match, and expands prefixes to known words. NULL if no listed track can
-- match. Parses PostgreSQL's output form: quoted lexemes and minimal parentheses.
CREATE OR REPLACE FUNCTION search_parts(p_query tsquery) RETURNS tsquery[] LANGUAGE sql STABLE AS $$
  WITH tokens AS (
    SELECT place, found[1] AS token
    FROM regexp_matches(p_query::text, $re$('(?:[^'\\]|''|\\.)*'(?::\*?[A-D]*)?|[()|&]|[^'()|&]+)$re$, 'g')
      WITH ORDINALITY AS t(found, place)
  ), nested AS (
    SELECT *, sum(CASE token WHEN '(' THEN 1 WHEN ')' THEN -1 ELSE 0 END) OVER (ORDER BY place) = 0 AS outermost FROM tokens
  ), numbered AS (
    SELECT *, outermost AND token = '&' AND NOT EXISTS (SELECT FROM nested WHERE outermost AND token = '|') AS ends FROM nested
  ), known AS (
    SELECT place, ends, token, sum(ends::integer) OVER (ORDER BY place) AS part,
      CASE WHEN token LIKE '''%'':*' THEN known_words(token) ELSE token END AS expanded FROM numbered
  )
  SELECT array_agg(text::tsquery) FROM (
    -- An alternative without known words stays a prefix, which matches nothing.
    SELECT CASE WHEN bool_and(expanded IS NOT NULL) OR bool_or(token = '|')
      THEN string_agg(coalesce(expanded, token), '' ORDER BY place) END AS text
    FROM known WHERE NOT ends GROUP BY part) parts
$$;
