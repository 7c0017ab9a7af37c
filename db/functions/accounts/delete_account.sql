-- Ends the reader's own account. False unless the password was confirmed.
CREATE OR REPLACE FUNCTION delete_account(p_session text, p_seen_hash text, p_attempt text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  leaver bigint := confirmed_changer(p_session, p_seen_hash, p_attempt);
BEGIN
  IF leaver IS NULL THEN
    RETURN false;
  END IF;
  PERFORM end_account(leaver);
  RETURN true;
END $$;
