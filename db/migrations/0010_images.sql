-- Pictures lie under `images/{version}/` in the media bucket, listed as garbage before their first byte. Whichever statement
-- begins or ends to show a version, also by a cascade, takes it out of that list or puts it back, in its own transaction.
CREATE FUNCTION image_changed_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown_before text := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD)->>TG_ARGV[0] END;
  shown_now text := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW)->>TG_ARGV[0] END;
BEGIN
  DELETE FROM object_garbage WHERE prefix = 'images/' || shown_now || '/';
  IF shown_before IS NOT NULL THEN
    INSERT INTO object_garbage (prefix, bucket, due_at) VALUES ('images/' || shown_before || '/', 'media', now())
    ON CONFLICT (prefix) DO UPDATE SET due_at = now();
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER avatar_changed AFTER UPDATE OF avatar_version ON users FOR EACH ROW
  WHEN (OLD.avatar_version IS DISTINCT FROM NEW.avatar_version) EXECUTE FUNCTION image_changed_v1('avatar_version');
--> statement-breakpoint
CREATE TRIGGER avatar_gone AFTER DELETE ON users FOR EACH ROW
  WHEN (OLD.avatar_version IS NOT NULL) EXECUTE FUNCTION image_changed_v1('avatar_version');
--> statement-breakpoint
CREATE TRIGGER artwork_new AFTER INSERT ON tracks FOR EACH ROW
  WHEN (NEW.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed_v1('artwork_version');
--> statement-breakpoint
CREATE TRIGGER artwork_changed AFTER UPDATE OF artwork_version ON tracks FOR EACH ROW
  WHEN (OLD.artwork_version IS DISTINCT FROM NEW.artwork_version) EXECUTE FUNCTION image_changed_v1('artwork_version');
--> statement-breakpoint
CREATE TRIGGER artwork_gone AFTER DELETE ON tracks FOR EACH ROW
  WHEN (OLD.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed_v1('artwork_version');
--> statement-breakpoint
-- Before the first byte is stored. As long as an upload may take, in case it brings a track's picture along.
CREATE FUNCTION list_image_v1(p_session bigint, p_client text, p_user bigint, p_prefix text) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_prefix, 'media', now() + interval '48 hours');
  RETURN json_build_object('auth_ok', true);
END $$;
--> statement-breakpoint
-- The same for somebody on our own pages; false for nobody.
CREATE FUNCTION list_site_image_v1(p_session text, p_prefix text) RETURNS boolean LANGUAGE sql AS $$
  WITH listed AS (
    INSERT INTO object_garbage (prefix, bucket, due_at)
    SELECT p_prefix, 'media', now() + interval '48 hours' WHERE site_user_v1(p_session) IS NOT NULL RETURNING prefix)
  SELECT EXISTS (SELECT FROM listed)
$$;
--> statement-breakpoint
-- Null shows the default again. False for nobody.
CREATE FUNCTION change_site_avatar_v1(p_session text, p_version text) RETURNS boolean LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE users SET avatar_version = p_version, updated_at = now()
    WHERE id = (site_user_v1(p_session)->>'id')::bigint RETURNING id)
  SELECT EXISTS (SELECT FROM changed)
$$;
--> statement-breakpoint
-- What is not among the changes stays; null empties. No user where `updated_at` is none of those expected, if any are.
CREATE FUNCTION update_me_v1(
  p_session bigint, p_client text, p_user bigint, p_changes jsonb, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  UPDATE users SET
    username = CASE WHEN p_changes ? 'username' THEN p_changes->>'username' ELSE username END,
    description = CASE WHEN p_changes ? 'description' THEN p_changes->>'description' ELSE description END,
    website = CASE WHEN p_changes ? 'website' THEN p_changes->>'website' ELSE website END,
    website_title = CASE WHEN p_changes ? 'website_title' THEN p_changes->>'website_title' ELSE website_title END,
    avatar_version = CASE WHEN p_changes ? 'avatar_version' THEN p_changes->>'avatar_version' ELSE avatar_version END,
    updated_at = now()
  WHERE id = p_user AND (p_expected IS NULL OR updated_at = ANY (p_expected));
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'user', NULL);
  END IF;
  RETURN find_me_v1(p_session, p_client, p_user);
END $$;
