-- Finds a user as operators name one, by permalink or username. Null if there is none, or if the name means two: users
-- rename themselves, so a username may be another's permalink.
CREATE OR REPLACE FUNCTION named_user(p_permalink text, p_username_key text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN count(*) = 1 THEN min(u.id) END FROM users u
  WHERE lower(u.permalink) = p_permalink OR u.username_key = p_username_key
$$;
