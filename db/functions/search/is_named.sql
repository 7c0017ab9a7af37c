-- Tells whether a title or username consists of exactly the words of `p_name`. A text more than twice as long cannot match, so
-- it is not folded. The factor allows for Hangul, where three letters may write one syllable.
CREATE OR REPLACE FUNCTION is_named(p_title text, p_name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN length(p_title) <= greatest(2 * length(p_name), 3) THEN search_text(p_title) = p_name ELSE false END
$$;
