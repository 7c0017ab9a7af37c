-- Locks the whole row before its visibility changes. Posting locks the row by its key, so one of the two waits and sees
-- the other. A BEFORE trigger, because each could otherwise lock its own version of the row.
CREATE OR REPLACE FUNCTION hold_what_is_posted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT FROM %I WHERE id = $1 FOR UPDATE', TG_TABLE_NAME) USING old.id;
  RETURN new;
END $$;

CREATE OR REPLACE TRIGGER changed_track_is_held BEFORE UPDATE OF sharing, state, published_id ON tracks FOR EACH ROW
WHEN ((old.sharing = 'public' AND old.state <> 'failed') <> (new.sharing = 'public' AND new.state <> 'failed')
  OR old.published_id <> new.published_id) EXECUTE FUNCTION hold_what_is_posted();
CREATE OR REPLACE TRIGGER changed_playlist_is_held BEFORE UPDATE OF sharing, published_id ON playlists FOR EACH ROW
WHEN (old.sharing <> new.sharing OR old.published_id <> new.published_id) EXECUTE FUNCTION hold_what_is_posted();
