-- Beside the marks of before, letters and digits that keyboards of one script write differently are one: Arabic and Persian
-- yeh and kaf, teh marbuta and heh, digits. The apostrophes that are letters to Unicode are apostrophes. The nukta is an accent,
-- and letters that keyboards elsewhere lack are those they come from.
CREATE OR REPLACE FUNCTION search_fold(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text;
BEGIN
  IF octet_length(p_text) = length(p_text) THEN
    RETURN lower(p_text COLLATE pg_c_utf8);
  END IF;
  folded := replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(p_text, NFKD), '['
      || U&'\00AD\0300-\036F\093C\115F\1160\17B4\17B5\180B-\180F\200B-\200F\202A-\202E\2060-\206F\20E3\FE00-\FE0F\FEFF'
      || U&'\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7'
      || U&'\0610-\061A\061C\0640\064B-\065F\0670\06D6-\06DC\06DF-\06E4\06E7\06E8\06EA-\06ED\08D3-\08FF'
      || U&'\+01F3FB-\+01F3FF\+0E0000-\+0E0FFF]', '', 'g') COLLATE pg_c_utf8),
    U&'øłđðıςħŧŋəɛɔɓɗƙ\02BC\02BB\2018\2019\0671\0649\06CC\06A9\0629\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669'
      || U&'\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9\2010',
    U&'olddiσhtneeobdk''''''''\0627\064A\064A\0643\064701234567890123456789-'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  -- NFKD splits Hangul and kana, so they are composed again. Below U+0300 nothing is composed.
  RETURN CASE WHEN folded ~ U&'[^\0001-\02FF]' THEN normalize(folded, NFC) ELSE folded END;
END $$;
-- Returns the words that are also written as one, without the marks within them: `REM`, `dont`, `lofi`, `acdc`. In `Ke$ha`
-- and `P!nk` a mark is a letter. Scripts without blanks are left out, because a mark there separates words.
CREATE FUNCTION search_joined(p_fields text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT public.search_acronyms(p_fields) || coalesce(array_agg(translate(word, '$!''/-', 'si')), '{}')
  FROM unnest(p_fields) field, regexp_matches(CASE WHEN field ~ U&'[''\2018\2019\02BB\02BC\2010\2011$!/-]'
      THEN public.search_fold(field) COLLATE pg_c_utf8 END,
    '(?<![[:alnum:]$])([[:alnum:]$]+(?:[''!/-][[:alnum:]$]+)*)(?![[:alnum:]$])', 'g') found, unnest(found) word
  WHERE word ~ '[$!''/-]' AND word ~ '[[:alpha:]]' AND word !~ ('[' || public.search_unbroken() || ']')
$$;
-- Joined words stand behind the fields, and `and` for each field with its sign. Descriptions have acronyms alone.
CREATE OR REPLACE FUNCTION search_vector(p_weight text, p_fields text[]) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT coalesce(string_agg('''' || w.word || ''':' || (w.place - 1) % 12000 + 2 || p_weight, ' '), '')::tsvector
    FROM string_to_table((SELECT string_agg(public.search_text(f.field), '  ' ORDER BY f.place)
      FROM unnest(p_fields || CASE WHEN p_weight = 'D' THEN public.search_acronyms(p_fields)
        ELSE public.search_joined(p_fields)
          || ARRAY(SELECT 'and' FROM unnest(p_fields) field WHERE field ~ '&|(^|\s)[+](\s|$)') END)
        WITH ORDINALITY f(field, place)), ' ')
      WITH ORDINALITY w(word, place)
    WHERE w.word <> '' AND octet_length(w.word) <= 2046);
END $$;
