-- Cancels a pending change of address from the settings page. False if nobody is signed in.
CREATE OR REPLACE FUNCTION withdraw_email_change(p_session text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner bigint := (site_user(p_session)->>'id')::bigint;
BEGIN
  PERFORM FROM accounts WHERE user_id = owner FOR UPDATE;
  PERFORM end_email_change(owner);
  RETURN owner IS NOT NULL;
END $$;
