-- Finds a user as operators name one: by permalink first, then by username. Null if there is none.
CREATE OR REPLACE FUNCTION named_user(p_permalink text, p_username_key text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT u.id FROM users u WHERE lower(u.permalink) = p_permalink OR u.username_key = p_username_key
  ORDER BY lower(u.permalink) = p_permalink DESC LIMIT 1
$$;
