-- Sets a new password by a mailed link. Opening the link proves the mailbox, so the address is confirmed too. The browser
-- that does so is signed out, `p_old_session`, which may be of another user. False if the link is no longer valid.
CREATE OR REPLACE FUNCTION reset_password(p_token text, p_hash text, p_old_session text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  owner bigint;
BEGIN
  -- Every change locks the account first. A second use of the link finds it used.
  PERFORM FROM accounts WHERE user_id = (SELECT user_id FROM mail_tokens WHERE hash = p_token) FOR UPDATE;
  SELECT t.user_id INTO owner FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id JOIN users u ON u.id = t.user_id
  WHERE t.hash = p_token AND t.purpose = 'reset' AND t.used_at IS NULL AND t.expires_at > now()
    AND t.email = a.email AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE accounts SET confirmed_at = coalesce(confirmed_at, now()), awaits_confirmation = false WHERE user_id = owner;
  PERFORM set_password(owner, p_hash);
  UPDATE site_sessions SET revoked_at = now() WHERE hash = p_old_session AND revoked_at IS NULL;
  RETURN true;
END $$;
