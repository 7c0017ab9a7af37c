-- Changes the password and opens a new session in the browser that did so, because its old cookie may have been copied. Notifies
-- the account's address, which may be unconfirmed and a stranger's, so at most five times an hour.
CREATE OR REPLACE FUNCTION change_password(
  p_session text, p_seen_hash text, p_attempt text, p_hash text, p_new_session text, p_browser text, p_ttl integer
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  changer bigint := confirmed_changer(p_session, p_seen_hash, p_attempt);
  notice record;
BEGIN
  IF changer IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_password(changer, p_hash);
  INSERT INTO site_sessions (hash, user_id, browser, expires_at)
  VALUES (p_new_session, changer, p_browser, now() + make_interval(secs => p_ttl));
  SELECT * INTO notice FROM take_attempt(ARRAY['mail password-changed ' || changer], ARRAY[5], ARRAY[interval '1 hour']);
  IF notice.wait = 0 THEN
    PERFORM queue_mail(changer, 'password-changed', (SELECT a.email FROM accounts a WHERE a.user_id = changer), NULL, NULL, NULL);
  END IF;
  RETURN true;
END $$;
