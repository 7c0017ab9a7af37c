-- Changes the user's avatar; null restores the default. False if nobody is signed in.
CREATE OR REPLACE FUNCTION change_site_avatar(p_session text, p_version text) RETURNS boolean LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE users SET avatar_version = p_version, updated_at = now()
    WHERE id = (site_user(p_session)->>'id')::bigint RETURNING id)
  SELECT EXISTS (SELECT FROM changed)
$$;
