-- Returns a word and what remains of it without one letter, of longer words without one or two. Two words that share such a
-- text are one or two typing errors apart: a letter too many, too few, another one, or two that changed places.
CREATE FUNCTION search_neighbours(p_word text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  letters CONSTANT integer := length(p_word);
  found text[] := ARRAY[p_word];
  shorter text;
BEGIN
  FOR n IN 1 .. letters LOOP
    shorter := overlay(p_word PLACING '' FROM n FOR 1);
    found := found || shorter;
    IF letters BETWEEN 8 AND 14 THEN
      FOR m IN n .. letters - 1 LOOP
        found := found || overlay(shorter PLACING '' FROM m FOR 1);
      END LOOP;
    END IF;
  END LOOP;
  RETURN found;
END $$;
-- Returns the words of a document that searches are corrected to: those of names, genres and tags, in scripts with spaces.
CREATE FUNCTION search_known(p_document tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(lexeme ORDER BY lexeme), '{}') FROM unnest(p_document)
  WHERE weights && '{A,B}' AND length(lexeme) BETWEEN 3 AND 40 AND (lexeme COLLATE pg_c_utf8) ~ '[[:alpha:]]'
    AND lexeme !~ ('[' || public.search_unbroken() || public.search_emoji() || ']')
$$;
CREATE TABLE "known_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE INDEX "known_words_neighbours_idx" ON "known_words" USING gin (search_neighbours("word")) WITH (fastupdate=false);
--> statement-breakpoint
INSERT INTO known_words
SELECT word FROM track_documents, unnest(search_known(document)) word WHERE listed
UNION SELECT word FROM playlist_search, unnest(search_known(document)) word WHERE public
UNION SELECT word FROM users, unnest(search_known(document)) word WHERE disabled_at IS NULL;
