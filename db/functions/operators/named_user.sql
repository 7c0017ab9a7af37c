-- Finds the user that a command names, `p_named`, by id, permalink or username. Null if there is none, or if the name means
-- two: users rename themselves, so a username may be another's permalink, and one that came to look like another's kept its
-- older key. An id can always say which.
CREATE OR REPLACE FUNCTION named_user(p_named jsonb) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN count(*) = 1 THEN min(m.id) END FROM (
    SELECT u.id FROM users u
    WHERE u.id = (p_named->>'id')::bigint OR lower(u.permalink) = p_named->>'permalink'
      OR u.username_key = p_named->>'username_key'
    -- Reads all users.
    UNION SELECT u.id FROM users u WHERE p_named->>'username' IS NOT NULL AND u.username = p_named->>'username') m
$$;
