-- Returns acronyms without their points: `R.E.M.` is `REM`, and `J.S. Bach` has `JS`.
CREATE FUNCTION search_acronyms(p_fields text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(replace(found[1], '.', '')), '{}')
  FROM unnest(p_fields) field, regexp_matches(
    field COLLATE pg_c_utf8, '(?<![[:alnum:]])([[:alpha:]](?:\.[[:alpha:]])+)(?!\.?[[:alnum:]])', 'g') found
$$;
-- An acronym is one word too, behind the fields. Its letters stay words, or `J. S. Bach` would not find `J.S. Bach`.
CREATE OR REPLACE FUNCTION search_vector(p_weight text, p_fields text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT coalesce(string_agg('''' || w.word || ''':' || (w.place - 1) % 12000 + 2 || p_weight, ' '), '')::tsvector
    FROM string_to_table((SELECT string_agg(public.search_text(f.field), '  ' ORDER BY f.place)
      FROM unnest(p_fields || public.search_acronyms(p_fields)) WITH ORDINALITY f(field, place)), ' ')
      WITH ORDINALITY w(word, place)
    WHERE w.word <> '' AND octet_length(w.word) <= 2046);
END $$;

UPDATE users SET city = city WHERE search_acronyms(ARRAY[username, full_name, city, description]) <> '{}';
DO $$
BEGIN
  -- A new database has no functions yet, and nothing to index.
  IF to_regproc('index_track') IS NOT NULL THEN
    PERFORM index_track(t) FROM (
      SELECT o FROM tracks o JOIN users u ON u.id = o.user_id
      WHERE search_acronyms(ARRAY[o.title, o.artist, o.genre, o.tag_list, o.description, u.username]) <> '{}'
      FOR NO KEY UPDATE OF o) AS held(t);
    PERFORM index_playlist(p) FROM (
      SELECT o FROM playlists o JOIN users u ON u.id = o.user_id
      WHERE search_acronyms(ARRAY[o.title, o.genre, o.tag_list, o.description, u.username]) <> '{}'
      FOR NO KEY UPDATE OF o) AS held(p);
  END IF;
END $$;
