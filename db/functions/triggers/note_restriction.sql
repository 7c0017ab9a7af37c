-- Notes for the statement's reply that somebody may see less than before, so that the Worker answers when replicas know.
CREATE OR REPLACE FUNCTION note_restriction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('soundpost.restricts', 'on', true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_is_noted AFTER UPDATE OF revoked_at ON sessions FOR EACH ROW
WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION note_restriction();

-- The sweep deletes those that have ended.
CREATE OR REPLACE TRIGGER removal_is_noted AFTER DELETE ON sessions FOR EACH ROW
WHEN (OLD.revoked_at IS NULL AND OLD.expires_at > now()) EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER end_is_noted AFTER UPDATE OF revoked_at ON site_sessions FOR EACH ROW
WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER suspension_is_noted AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER removal_is_noted AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER suspension_is_noted AFTER UPDATE OF disabled_at ON apps FOR EACH ROW
WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER closing_is_noted
AFTER UPDATE OF sharing, secret_hash, taken_down_at, streamable, available_country_codes, paywall ON tracks FOR EACH ROW
WHEN ((OLD.sharing, OLD.secret_hash, OLD.taken_down_at, OLD.streamable, OLD.available_country_codes, OLD.paywall)
  IS DISTINCT FROM (NEW.sharing, NEW.secret_hash, NEW.taken_down_at, NEW.streamable, NEW.available_country_codes, NEW.paywall))
EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER removal_is_noted AFTER DELETE ON tracks FOR EACH ROW EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER removal_is_noted AFTER DELETE ON track_shares FOR EACH ROW EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER closing_is_noted AFTER UPDATE OF sharing, secret_hash ON playlists FOR EACH ROW
WHEN ((OLD.sharing, OLD.secret_hash) IS DISTINCT FROM (NEW.sharing, NEW.secret_hash)) EXECUTE FUNCTION note_restriction();

CREATE OR REPLACE TRIGGER removal_is_noted AFTER DELETE ON playlists FOR EACH ROW EXECUTE FUNCTION note_restriction();
