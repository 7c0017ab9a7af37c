-- Locks a user before they leave or return, and then all that is posted or counted with them, in order of id. Otherwise a
-- track that is hidden meanwhile could be counted twice, a deleted one stay posted, or two returning users deadlock.
CREATE OR REPLACE FUNCTION hold_leaving_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = old.id FOR UPDATE;
  PERFORM FROM tracks t WHERE t.id IN (
    SELECT o.id FROM tracks o WHERE o.user_id = old.id UNION SELECT r.track_id FROM reposts r WHERE r.user_id = old.id)
  ORDER BY t.id FOR UPDATE;
  PERFORM FROM playlists l WHERE l.id IN (
    SELECT o.id FROM playlists o WHERE o.user_id = old.id
    UNION SELECT r.playlist_id FROM playlist_reposts r WHERE r.user_id = old.id)
  ORDER BY l.id FOR UPDATE;
  RETURN new;
END $$;

CREATE OR REPLACE TRIGGER leaving_user_is_held BEFORE UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION hold_leaving_user();
