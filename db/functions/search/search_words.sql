-- Returns a query for every word and phrase of a filter. Text without words matches nothing. A word with marks within it,
-- such as points, is searched without them too, but not as a prefix: `L.A.` would find each `Lady`. `ft` is `feat`.
CREATE OR REPLACE FUNCTION search_words(p_filter jsonb) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('(' || term::text || ')', ' & ')::tsquery FROM (
    SELECT CASE
      WHEN plain IN ('ft', 'feat', 'featuring') THEN search_term(word, true) || 'ft | feat | featuring'::tsquery
      WHEN search_text(joined[1]) = replace(plain, ' ', '') THEN search_term(word, true) || search_term(joined[1], false)
      ELSE search_term(word, true) END AS term
    FROM jsonb_array_elements_text(p_filter->'words') word,
      LATERAL (SELECT search_joined(ARRAY[word]), search_text(translate(btrim(word, '!'), '$!', 'si')) OFFSET 0) j (joined, plain)
    UNION ALL
    SELECT search_term(phrase, false) FROM jsonb_array_elements_text(p_filter->'phrases') phrase) t
  WHERE term IS NOT NULL
$$;
