-- Revokes everything that the user allowed the app. False if nobody is signed in.
CREATE OR REPLACE FUNCTION revoke_app(p_session text, p_app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner bigint := (site_user(p_session)->>'id')::bigint;
BEGIN
  IF p_app IS NULL THEN
    RETURN false;
  END IF;
  PERFORM end_access(owner, p_app);
  DELETE FROM consents WHERE user_id = owner AND app_id = p_app;
  RETURN owner IS NOT NULL;
END $$;
