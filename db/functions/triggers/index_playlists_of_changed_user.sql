CREATE OR REPLACE FUNCTION index_playlists_of_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The lock keeps a concurrent change from being overwritten with older text.
  PERFORM index_playlist(p) FROM (SELECT o FROM playlists o WHERE o.user_id = NEW.id FOR NO KEY UPDATE) AS held(p);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_playlists_are_indexed AFTER UPDATE OF username, disabled_at ON users FOR EACH ROW
WHEN (OLD.username IS DISTINCT FROM NEW.username OR (OLD.disabled_at IS NULL) <> (NEW.disabled_at IS NULL))
EXECUTE FUNCTION index_playlists_of_changed_user();
