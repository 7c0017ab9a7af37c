CREATE OR REPLACE FUNCTION index_tracks_of_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_track(t) FROM tracks t WHERE t.user_id = new.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_tracks_are_indexed AFTER UPDATE OF username, disabled_at ON users FOR EACH ROW
WHEN (old.username IS DISTINCT FROM new.username OR (old.disabled_at IS NULL) <> (new.disabled_at IS NULL))
EXECUTE FUNCTION index_tracks_of_changed_user();
