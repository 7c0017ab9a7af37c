CREATE OR REPLACE FUNCTION mini_user(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT u.id, u.permalink, u.username, u.avatar_version, u.updated_at FROM users u WHERE u.id = p_user) r
$$;
