-- Returns a query for every word and phrase of a filter. Text without words matches nothing.
CREATE OR REPLACE FUNCTION search_words(p_filter jsonb) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('(' || term::text || ')', ' & ')::tsquery FROM (
    SELECT search_term(word, true) AS term FROM jsonb_array_elements_text(p_filter->'words') word
    UNION ALL
    SELECT search_term(phrase, false) FROM jsonb_array_elements_text(p_filter->'phrases') phrase) t
  WHERE term IS NOT NULL
$$;
