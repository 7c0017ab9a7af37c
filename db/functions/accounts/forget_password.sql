-- Queues a mail with a reset link, unless the address is unknown or had five mails within the hour. The reply does not
-- tell which.
CREATE OR REPLACE FUNCTION forget_password(p_email text, p_address text, p_token text, p_ttl integer, p_sealed bytea)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  account accounts;
  attempt record;
BEGIN
  SELECT * INTO attempt FROM take_attempt(ARRAY['forgot ' || p_address], ARRAY[10], ARRAY[interval '1 hour']);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  SELECT a.* INTO account FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE lower(a.email) = lower(p_email) AND u.disabled_at IS NULL;
  IF FOUND THEN
    PERFORM mail_link(account.user_id, 'reset', account.email, p_token, p_sealed, p_ttl);
  END IF;
  RETURN json_build_object('outcome', 'asked');
END $$;
