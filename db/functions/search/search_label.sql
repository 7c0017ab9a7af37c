-- A lexeme that stands for a whole value. No word of a text begins with a colon. Lexemes may have 2,046 bytes.
CREATE OR REPLACE FUNCTION search_label(p_kind text, p_value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ':' || p_kind || '=' || left(btrim(regexp_replace(search_fold(p_value), '\s+', ' ', 'g')), 200)
$$;
