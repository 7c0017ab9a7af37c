-- Returns a user's short form.
CREATE OR REPLACE FUNCTION mini_user(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
    'updated_at', u.updated_at)
  FROM users u WHERE u.id = p_user
$$;
