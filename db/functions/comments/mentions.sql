-- Tells whether a lower-case text begins with `@` and this name, as a whole word.
CREATE OR REPLACE FUNCTION mentions(p_said text, p_name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT starts_with(p_said, '@' || lower(p_name COLLATE pg_c_utf8))
    AND substr(p_said, length(lower(p_name COLLATE pg_c_utf8)) + 2, 1) !~ '[[:alnum:]_]'
$$;
