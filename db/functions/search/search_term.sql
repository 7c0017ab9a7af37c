-- Returns the query for one word, as a prefix, or for a phrase. NULL without a word. Parts of unbroken scripts match
-- anywhere: pairs of characters as in `search_text`, one character as the start of a pair.
CREATE OR REPLACE FUNCTION search_term(p_text text, p_prefix boolean) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  words text[] := string_to_array(search_text(p_text), ' ');
  last CONSTANT integer := coalesce(cardinality(words), 0);
  unbroken CONSTANT text := '^[' || search_unbroken() || ']';
  stands_alone boolean;
  gap integer := 1;
  term text := '';
BEGIN
  FOR n IN 1 .. last LOOP
    stands_alone := words[n] ~ (unbroken || '$');
    -- The last character of an unbroken text is contained in the word before it.
    IF stands_alone AND words[n - 1] ~ (unbroken || '.$') AND right(words[n - 1], 1) = words[n]
      OR octet_length(words[n]) > 2046 THEN
      gap := gap + 1;
      CONTINUE;
    END IF;
    term := term || CASE WHEN term <> '' THEN ' <' || gap || '> ' ELSE '' END || '''' || words[n] || ''''
      || CASE WHEN stands_alone OR n = last AND p_prefix AND words[n] !~ ('^[' || search_unbroken() || search_emoji() || ']')
        THEN ':*' ELSE '' END;
    gap := 1;
  END LOOP;
  RETURN nullif(term, '')::tsquery;
END $$;
