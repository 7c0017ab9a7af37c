-- Keeps the permalink that a user, track or playlist leaves, so that it redirects. Whoever has a permalink now goes before those
-- who had it. A user cannot take one that leads to another user: this fails like a present one, and an AFTER trigger also sees
-- what committed while the write waited. Only the newest hundred are kept, so that nobody fills the table.
CREATE OR REPLACE FUNCTION keep_former_address() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT integer := 100;
  owner bigint;
  track bigint;
  playlist bigint;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'users' THEN
      owner := new.id;
      IF EXISTS (SELECT FROM former_addresses f WHERE f.permalink = lower(new.permalink) AND f.user_id <> new.id
          AND f.track_id IS NULL AND f.playlist_id IS NULL) THEN
        RAISE unique_violation USING CONSTRAINT = 'users_permalink_key', MESSAGE = 'the permalink leads to another user';
      END IF;
    WHEN 'tracks' THEN
      owner := new.user_id;
      track := new.id;
    WHEN 'playlists' THEN
      owner := new.user_id;
      playlist := new.id;
  END CASE;
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM former_addresses f WHERE f.user_id = owner AND f.permalink IN (lower(new.permalink), lower(old.permalink))
      AND (f.track_id IS NULL) = (track IS NULL) AND (f.playlist_id IS NULL) = (playlist IS NULL);
    INSERT INTO former_addresses (user_id, track_id, playlist_id, permalink)
    SELECT owner, track, playlist, lower(old.permalink) WHERE lower(old.permalink) <> lower(new.permalink);
    DELETE FROM former_addresses f WHERE f.id IN (
      SELECT o.id FROM former_addresses o WHERE o.user_id = owner
        AND o.track_id IS NOT DISTINCT FROM track AND o.playlist_id IS NOT DISTINCT FROM playlist
      ORDER BY o.id DESC OFFSET most);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_permalinks_lead_to_nobody_else AFTER INSERT ON users FOR EACH ROW
EXECUTE FUNCTION keep_former_address();
CREATE OR REPLACE TRIGGER former_addresses_are_kept AFTER UPDATE OF permalink ON users FOR EACH ROW
WHEN (old.permalink <> new.permalink) EXECUTE FUNCTION keep_former_address();
CREATE OR REPLACE TRIGGER former_addresses_are_kept AFTER UPDATE OF permalink ON tracks FOR EACH ROW
WHEN (old.permalink <> new.permalink) EXECUTE FUNCTION keep_former_address();
CREATE OR REPLACE TRIGGER former_addresses_are_kept AFTER UPDATE OF permalink ON playlists FOR EACH ROW
WHEN (old.permalink <> new.permalink) EXECUTE FUNCTION keep_former_address();
