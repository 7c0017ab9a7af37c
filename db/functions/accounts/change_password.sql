CREATE OR REPLACE FUNCTION change_password(p_session text, p_seen_hash text, p_attempt text, p_hash text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  changer bigint := confirmed_changer(p_session, p_seen_hash, p_attempt);
BEGIN
  IF changer IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_password(changer, p_hash, p_session);
  PERFORM queue_mail(changer, 'password-changed', (SELECT a.email FROM accounts a WHERE a.user_id = changer), NULL, NULL, NULL);
  RETURN true;
END $$;
