CREATE OR REPLACE FUNCTION learn_words(p_document tsvector) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_words
  SELECT lexeme FROM unnest(tsvector_to_array(p_document)) lexeme
  WHERE lexeme NOT LIKE ':%' AND NOT EXISTS (SELECT FROM search_words w WHERE w.word = lexeme)
$$;
