CREATE OR REPLACE FUNCTION mini_user(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT mini_user_of(u) FROM users u WHERE u.id = p_user
$$;
