-- Maintains garbage for pictures below `images/{version}/`, listed before their first byte. A statement that begins or
-- stops showing a version, even by cascade, unlists or lists it in its own transaction. A picture that was closed, by a
-- takedown or with its user, stays listed, and so closed, for longer than caches keep it.
CREATE OR REPLACE FUNCTION image_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown_before text := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD)->>TG_ARGV[0] END;
  owner bigint := CASE WHEN TG_OP <> 'INSERT' THEN coalesce(to_jsonb(OLD)->>'user_id', to_jsonb(OLD)->>'id') END;
  was_closed boolean := TG_OP <> 'INSERT' AND (to_jsonb(OLD)->>'taken_down_at' IS NOT NULL
    OR NOT EXISTS (SELECT FROM users u WHERE u.id = owner AND u.disabled_at IS NULL));
  shown_now text := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW)->>TG_ARGV[0] END;
BEGIN
  DELETE FROM object_garbage WHERE prefix = 'images/' || shown_now || '/';
  IF shown_before IS NOT NULL THEN
    INSERT INTO object_garbage (prefix, bucket, due_at, closed)
    VALUES ('images/' || shown_before || '/', 'media', now() + CASE WHEN was_closed THEN interval '2 hours' ELSE '0' END, was_closed)
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
