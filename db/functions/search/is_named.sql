-- Tells whether a title or username consists of just the words of `p_name`. One more than twice as long is not folded, which
-- would cost more than a look at its length. A syllable of Hangul may be written by three letters.
CREATE OR REPLACE FUNCTION is_named(p_title text, p_name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN length(p_title) <= greatest(2 * length(p_name), 3) THEN search_text(p_title) = p_name ELSE false END
$$;
