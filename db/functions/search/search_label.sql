-- Returns the lexeme that stands for a whole value. Words of texts never begin with a colon. PostgreSQL limits lexemes
-- to 2,046 bytes.
CREATE OR REPLACE FUNCTION search_label(p_kind text, p_value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ':' || p_kind || '=' || left(btrim(regexp_replace(search_fold(p_value), '\s+', ' ', 'g')), 200)
$$;
