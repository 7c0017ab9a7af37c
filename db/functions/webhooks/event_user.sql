CREATE OR REPLACE FUNCTION event_user(p_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
    'updated_at', u.updated_at)
  FROM users u WHERE u.id = p_id
$$;
