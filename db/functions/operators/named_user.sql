-- Finds the user that a command names, `p_named`, by id, permalink or username. Null if there is none, or if the name means
-- two: users rename themselves, so a username may be another's permalink. An id can always say which.
CREATE OR REPLACE FUNCTION named_user(p_named jsonb) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN count(*) = 1 THEN min(u.id) END FROM users u
  WHERE u.id = (p_named->>'id')::bigint OR lower(u.permalink) = p_named->>'permalink'
    OR u.username_key = p_named->>'username_key'
$$;
