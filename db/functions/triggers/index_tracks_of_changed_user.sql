CREATE OR REPLACE FUNCTION index_tracks_of_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The lock keeps a concurrent change from being overwritten with older text.
  PERFORM index_track(t) FROM (SELECT o FROM tracks o WHERE o.user_id = new.id FOR NO KEY UPDATE) AS held(t);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_tracks_are_indexed AFTER UPDATE OF username, disabled_at ON users FOR EACH ROW
WHEN (old.username IS DISTINCT FROM new.username OR (old.disabled_at IS NULL) <> (new.disabled_at IS NULL))
EXECUTE FUNCTION index_tracks_of_changed_user();
