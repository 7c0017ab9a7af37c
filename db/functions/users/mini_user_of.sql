-- Builds a user's short form from its row. STABLE, because PostgreSQL never inlines it as IMMUTABLE: JSON of times is
-- not.
CREATE OR REPLACE FUNCTION mini_user_of(u users) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
    'updated_at', u.updated_at)
$$;
