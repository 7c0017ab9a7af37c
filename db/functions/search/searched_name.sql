-- Returns what a search would be called if it were a name, as `is_named` compares it: its words, or its phrase.
CREATE OR REPLACE FUNCTION searched_name(p_filter jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT search_text(string_agg(word, ' '))
  FROM jsonb_array_elements_text(coalesce(p_filter->'words', '[]') || coalesce(p_filter->'phrases', '[]')) word
$$;
