-- Tells whether a title or username consists of just the words of `p_name`. One more than twice as long is not folded, which
-- would cost more than a look at its length.
CREATE OR REPLACE FUNCTION is_named(p_title text, p_name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN length(p_title) <= 2 * length(p_name) THEN search_text(p_title) = p_name ELSE false END
$$;
