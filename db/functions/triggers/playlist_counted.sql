-- Counts playlists for their owner whenever one is created, deleted, published or hidden, in the same transaction.
CREATE OR REPLACE FUNCTION playlist_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('user', OLD.user_id,
      CASE OLD.sharing WHEN 'public' THEN 'playlist_count' ELSE 'private_playlists_count' END, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('user', NEW.user_id,
      CASE NEW.sharing WHEN 'public' THEN 'playlist_count' ELSE 'private_playlists_count' END, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER playlist_counted AFTER INSERT OR DELETE ON playlists FOR EACH ROW EXECUTE FUNCTION playlist_counted();
CREATE OR REPLACE TRIGGER playlist_recounted AFTER UPDATE OF sharing ON playlists FOR EACH ROW
  WHEN (OLD.sharing IS DISTINCT FROM NEW.sharing) EXECUTE FUNCTION playlist_counted();
