-- Returns the permalink, or the spare if another user has it. Without a spare the insert fails instead.
CREATE OR REPLACE FUNCTION free_permalink(p_permalink text, p_spare text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_spare IS NOT NULL AND EXISTS (SELECT FROM users u WHERE lower(u.permalink) = lower(p_permalink))
    THEN p_spare ELSE p_permalink END
$$;
