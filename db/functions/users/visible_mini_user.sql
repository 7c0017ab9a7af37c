-- Returns the short form of a user whom others' tracks and playlists name. Null if the user left or is suspended.
CREATE OR REPLACE FUNCTION visible_mini_user(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT mini_user(u.id) FROM users u WHERE u.id = p_user AND u.disabled_at IS NULL
$$;
