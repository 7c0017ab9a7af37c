-- Hebrew points and Arabic vowel marks are accents: few write them, and a search with or without them means the same.
CREATE OR REPLACE FUNCTION search_fold(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text;
BEGIN
  IF octet_length(p_text) = length(p_text) THEN
    RETURN lower(p_text COLLATE pg_c_utf8);
  END IF;
  folded := replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(p_text, NFKD), '['
      || U&'\00AD\0300-\036F\115F\1160\17B4\17B5\180B-\180F\200B-\200F\202A-\202E\2060-\206F\20E3\FE00-\FE0F\FEFF'
      || U&'\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7'
      || U&'\0610-\061A\061C\0640\064B-\065F\0670\06D6-\06DC\06DF-\06E4\06E7\06E8\06EA-\06ED\08D3-\08FF'
      || U&'\+01F3FB-\+01F3FF\+0E0000-\+0E0FFF]', '', 'g') COLLATE pg_c_utf8),
    'øłđðıς', 'olddiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  -- NFKD splits Hangul and kana, so they are composed again. Below U+0300 nothing is composed.
  RETURN CASE WHEN folded ~ U&'[^\0001-\02FF]' THEN normalize(folded, NFC) ELSE folded END;
END $$;

DO $$
DECLARE
  hebrew_or_arabic CONSTANT text := U&'[\0590-\08FF\FB1D-\FDFF\FE70-\FEFC]';
BEGIN
  UPDATE users SET city = city WHERE concat_ws(' ', username, full_name, city, description) ~ hebrew_or_arabic;
  -- A new database has no functions yet, and nothing to index.
  IF to_regproc('index_track') IS NOT NULL THEN
    PERFORM index_track(t) FROM (
      SELECT o FROM tracks o JOIN users u ON u.id = o.user_id
      WHERE concat_ws(' ', o.title, o.artist, o.genre, o.tag_list, o.description, u.username) ~ hebrew_or_arabic
      FOR NO KEY UPDATE OF o) AS held(t);
    PERFORM index_playlist(p) FROM (
      SELECT o FROM playlists o JOIN users u ON u.id = o.user_id
      WHERE concat_ws(' ', o.title, o.genre, o.tag_list, o.description, u.username) ~ hebrew_or_arabic
      FOR NO KEY UPDATE OF o) AS held(p);
  END IF;
END $$;
