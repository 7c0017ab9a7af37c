-- Keeps `stored_objects` for the files of tracks. Storage says the size of an encode later.
CREATE OR REPLACE FUNCTION track_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE stored_objects SET user_id = NULL WHERE prefix IN (OLD.original_key, OLD.media_prefix);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO stored_objects (prefix, kind, user_id, bytes)
    SELECT prefix, kind, user_id, bytes FROM shown_objects WHERE subject = 'track' AND id = NEW.id AND kind <> 'picture'
    ON CONFLICT (prefix) DO UPDATE SET user_id = excluded.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER track_stored AFTER INSERT OR DELETE ON tracks FOR EACH ROW EXECUTE FUNCTION track_stored();
CREATE OR REPLACE TRIGGER track_files_changed AFTER UPDATE OF original_key, media_prefix, original_deleted_at ON tracks FOR EACH ROW
  WHEN ((OLD.original_key, OLD.media_prefix, OLD.original_deleted_at)
    IS DISTINCT FROM (NEW.original_key, NEW.media_prefix, NEW.original_deleted_at))
  EXECUTE FUNCTION track_stored();
