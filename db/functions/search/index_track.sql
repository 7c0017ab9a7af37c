CREATE OR REPLACE FUNCTION index_track(t tracks) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner users;
  listed boolean;
  document tsvector;
BEGIN
  SELECT * INTO owner FROM users WHERE id = t.user_id;
  listed := t.sharing = 'public' AND t.state <> 'failed' AND owner.disabled_at IS NULL;
  document := track_document(t, owner.username);
  IF listed THEN
    PERFORM learn_words(document);
    DELETE FROM track_search_unlisted WHERE id = t.id;
    INSERT INTO track_search AS s VALUES (t.id, t.user_id, t.bpm, t.duration_ms, document)
    ON CONFLICT (id) DO UPDATE SET bpm = excluded.bpm, duration_ms = excluded.duration_ms, document = excluded.document;
  ELSE
    DELETE FROM track_search WHERE id = t.id;
    INSERT INTO track_search_unlisted AS s
    VALUES (t.id, t.user_id, t.sharing = 'public', t.bpm, t.duration_ms, document)
    ON CONFLICT (id) DO UPDATE SET public = excluded.public, bpm = excluded.bpm, duration_ms = excluded.duration_ms,
      document = excluded.document;
  END IF;
END $$;
