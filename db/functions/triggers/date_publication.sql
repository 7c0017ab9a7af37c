-- Moves a track or playlist to the top of feeds when it first becomes public. Hiding and showing it again does not move it, or
-- its owner could repeat that at will. A track that is put back keeps its place: its takedown may be older than `was_public`.
-- A publication ends the wait for its time, whoever publishes.
CREATE OR REPLACE FUNCTION date_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.sharing = 'private' THEN
    new.was_public := true;
  ELSE
    new.publish_at := NULL;
    IF NOT old.was_public THEN
      new.published_id := next_id();
    END IF;
  END IF;
  RETURN new;
END $$;

CREATE OR REPLACE TRIGGER publication_is_dated BEFORE UPDATE OF sharing ON tracks FOR EACH ROW
WHEN (old.sharing <> new.sharing AND old.taken_down_at IS NULL) EXECUTE FUNCTION date_publication();
CREATE OR REPLACE TRIGGER publication_is_dated BEFORE UPDATE OF sharing ON playlists FOR EACH ROW
WHEN (old.sharing <> new.sharing AND old.taken_down_at IS NULL) EXECUTE FUNCTION date_publication();
