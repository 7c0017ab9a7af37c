-- Revokes everything that the user allowed the app.
CREATE OR REPLACE FUNCTION revoke_app(p_user bigint, p_app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- `end_access` would end the access of all apps.
  IF p_app IS NULL THEN
    RETURN false;
  END IF;
  PERFORM end_access(p_user, p_app);
  DELETE FROM consents WHERE user_id = p_user AND app_id = p_app;
  RETURN true;
END $$;
