CREATE OR REPLACE FUNCTION user_exists(p_id bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = p_id AND u.disabled_at IS NULL)
$$;
