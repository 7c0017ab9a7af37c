-- Signs a user out everywhere: browsers, apps and codes on their way. Webhooks end with the access of their apps.
CREATE OR REPLACE FUNCTION end_sessions_of_user(p_user bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  ended integer;
BEGIN
  ended := (SELECT count(*) FROM sessions WHERE user_id = p_user AND revoked_at IS NULL AND expires_at > now());
  UPDATE site_sessions SET revoked_at = now() WHERE user_id = p_user AND revoked_at IS NULL;
  PERFORM end_access(p_user, NULL);
  RETURN ended;
END $$;
