-- Maintains garbage and `stored_objects` for pictures below `images/{version}/`, listed before their first byte. Unlists or lists a version
-- with the statement that begins or stops showing it, even by cascade. It is closed then until it is deleted, and if it was before, by a
-- takedown or with its user, for longer than caches keep it. So is each of a chapter: its row names no owner, and its track may be gone.
CREATE OR REPLACE FUNCTION image_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown_before text := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD)->>TG_ARGV[0] END;
  owner bigint := CASE WHEN TG_OP <> 'INSERT' THEN coalesce(to_jsonb(OLD)->>'user_id', to_jsonb(OLD)->>'id') END;
  was_closed boolean := TG_OP <> 'INSERT' AND (to_jsonb(OLD)->>'taken_down_at' IS NOT NULL OR TG_TABLE_NAME = 'removals'
    OR NOT EXISTS (SELECT FROM users u WHERE u.id = owner AND u.disabled_at IS NULL));
  shown_now text := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW)->>TG_ARGV[0] END;
BEGIN
  IF shown_now IS NOT NULL THEN
    DELETE FROM object_garbage WHERE prefix = 'images/' || shown_now || '/';
    INSERT INTO stored_objects (prefix, kind, user_id)
    VALUES ('images/' || shown_now || '/', 'picture', coalesce((to_jsonb(NEW)->>'user_id')::bigint,
      (SELECT t.user_id FROM tracks t WHERE t.id = (to_jsonb(NEW)->>'track_id')::bigint), (to_jsonb(NEW)->>'id')::bigint))
    ON CONFLICT (prefix) DO UPDATE SET user_id = excluded.user_id;
  END IF;
  IF shown_before IS NOT NULL THEN
    UPDATE stored_objects SET user_id = NULL WHERE prefix = 'images/' || shown_before || '/';
    INSERT INTO object_garbage (prefix, bucket, due_at, closed)
    VALUES ('images/' || shown_before || '/', 'media', now() + CASE WHEN was_closed THEN interval '2 hours' ELSE '0' END, true)
    ON CONFLICT (prefix) DO UPDATE SET due_at = excluded.due_at, closed = excluded.closed;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER avatar_changed AFTER UPDATE OF avatar_version ON users FOR EACH ROW
  WHEN (OLD.avatar_version IS DISTINCT FROM NEW.avatar_version) EXECUTE FUNCTION image_changed('avatar_version');
CREATE OR REPLACE TRIGGER avatar_gone AFTER DELETE ON users FOR EACH ROW
  WHEN (OLD.avatar_version IS NOT NULL) EXECUTE FUNCTION image_changed('avatar_version');
CREATE OR REPLACE TRIGGER artwork_new AFTER INSERT ON tracks FOR EACH ROW
  WHEN (NEW.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed('artwork_version');
CREATE OR REPLACE TRIGGER artwork_changed AFTER UPDATE OF artwork_version ON tracks FOR EACH ROW
  WHEN (OLD.artwork_version IS DISTINCT FROM NEW.artwork_version) EXECUTE FUNCTION image_changed('artwork_version');
CREATE OR REPLACE TRIGGER artwork_gone AFTER DELETE ON tracks FOR EACH ROW
  WHEN (OLD.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed('artwork_version');
CREATE OR REPLACE TRIGGER artwork_new AFTER INSERT ON playlists FOR EACH ROW
  WHEN (NEW.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed('artwork_version');
CREATE OR REPLACE TRIGGER artwork_changed AFTER UPDATE OF artwork_version ON playlists FOR EACH ROW
  WHEN (OLD.artwork_version IS DISTINCT FROM NEW.artwork_version) EXECUTE FUNCTION image_changed('artwork_version');
CREATE OR REPLACE TRIGGER artwork_gone AFTER DELETE ON playlists FOR EACH ROW
  WHEN (OLD.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed('artwork_version');
CREATE OR REPLACE TRIGGER chapter_picture_new AFTER INSERT ON chapter_pictures FOR EACH ROW
  EXECUTE FUNCTION image_changed('version');
CREATE OR REPLACE TRIGGER chapter_picture_gone AFTER DELETE ON chapter_pictures FOR EACH ROW
  EXECUTE FUNCTION image_changed('version');
-- The case of a removed picture keeps it, closed.
CREATE OR REPLACE TRIGGER removed_picture_kept AFTER INSERT ON removals FOR EACH ROW
  WHEN (NEW.picture_version IS NOT NULL) EXECUTE FUNCTION image_changed('picture_version');
CREATE OR REPLACE TRIGGER removed_picture_restored AFTER UPDATE OF picture_version ON removals FOR EACH ROW
  WHEN (OLD.picture_version IS DISTINCT FROM NEW.picture_version) EXECUTE FUNCTION image_changed('picture_version');
CREATE OR REPLACE TRIGGER removed_picture_gone AFTER DELETE ON removals FOR EACH ROW
  WHEN (OLD.picture_version IS NOT NULL) EXECUTE FUNCTION image_changed('picture_version');
