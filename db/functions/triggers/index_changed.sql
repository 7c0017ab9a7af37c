-- Indexes tracks and playlists for search as they change, or their owners. Remembers words that become public, in order, so that
-- two transactions with the same new words do not wait for each other.
CREATE OR REPLACE FUNCTION index_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'playlists' THEN
      PERFORM index_playlist(new);
    WHEN 'tracks' THEN
      IF TG_OP = 'DELETE' THEN
        DELETE FROM track_documents WHERE id = old.id;
      ELSE
        PERFORM index_track(new);
      END IF;
    WHEN 'users', 'track_documents', 'playlist_search' THEN
      IF TG_NAME = 'users_works_are_indexed' THEN
        -- The locks keep a concurrent change from being overwritten with older text.
        PERFORM index_playlist(p) FROM (SELECT o FROM playlists o WHERE o.user_id = new.id FOR NO KEY UPDATE) AS held(p);
        PERFORM index_track(t) FROM (SELECT o FROM tracks o WHERE o.user_id = new.id FOR NO KEY UPDATE) AS held(t);
      ELSE
        INSERT INTO known_words SELECT word FROM unnest(search_known(new.document)) word ORDER BY word ON CONFLICT DO NOTHING;
      END IF;
  END CASE;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_works_are_indexed AFTER UPDATE OF username, disabled_at ON users FOR EACH ROW
WHEN (old.username IS DISTINCT FROM new.username OR (old.disabled_at IS NULL) <> (new.disabled_at IS NULL))
EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER playlists_are_indexed AFTER INSERT OR UPDATE OF title, description, genre, tag_list, sharing ON playlists
FOR EACH ROW EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER tracks_are_indexed AFTER INSERT OR DELETE OR UPDATE OF
  title, artist, artists, description, genre, tag_list, track_type, license, sharing, state, streamable, downloadable, paywall,
  available_country_codes, bpm, duration_ms, taken_down_at
ON tracks FOR EACH ROW EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER new_words_are_known AFTER INSERT ON track_documents FOR EACH ROW
WHEN (new.listed) EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER changed_words_are_known AFTER UPDATE ON track_documents FOR EACH ROW
WHEN (new.listed AND (NOT old.listed OR old.document IS DISTINCT FROM new.document)) EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER new_words_are_known AFTER INSERT ON playlist_search FOR EACH ROW
WHEN (new.public) EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER changed_words_are_known AFTER UPDATE ON playlist_search FOR EACH ROW
WHEN (new.public AND (NOT old.public OR old.document IS DISTINCT FROM new.document)) EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER new_words_are_known AFTER INSERT ON users FOR EACH ROW
WHEN (new.disabled_at IS NULL) EXECUTE FUNCTION index_changed();
CREATE OR REPLACE TRIGGER changed_words_are_known AFTER UPDATE OF username, full_name, permalink, disabled_at ON users FOR EACH ROW
WHEN (new.disabled_at IS NULL) EXECUTE FUNCTION index_changed();
