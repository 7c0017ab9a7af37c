-- Ranks a match. One with all words whole in its title or names (`whole_in_names`) comes before all others: `ts_rank`
-- prefers `Category Catalog` for `cat`, and a description that mentions what a long title and its artist have far apart.
CREATE OR REPLACE FUNCTION search_rank(p_document tsvector, p_words tsquery, p_names tsquery) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ts_rank(p_document, p_words) + CASE WHEN ts_match_vq(p_document, p_names) THEN 5 ELSE 0 END)::real
$$;
