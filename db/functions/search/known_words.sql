-- Returns the indexed words that a prefix stands for, as query text. The prefix itself if there are many, NULL if none.
CREATE OR REPLACE FUNCTION known_words(p_prefix text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  many CONSTANT integer := 32;
  beginning text := (tsvector_to_array(left(p_prefix, -2)::tsvector))[1];
  words text[] := ARRAY(SELECT DISTINCT w.word FROM search_words w
    WHERE w.word >= beginning AND w.word < beginning || U&'\+10FFFF' ORDER BY w.word LIMIT many + 1);
BEGIN
  RETURN CASE WHEN cardinality(words) > many THEN p_prefix ELSE (
    SELECT '(' || string_agg(array_to_tsvector(ARRAY[word])::text, ' | ') || ')' FROM unnest(words) word) END;
END $$;
