-- Mails another confirmation link to the account's address or to the one that it is to become. The link that stops a
-- change works as long as the newest that confirms it.
CREATE OR REPLACE FUNCTION resend_confirmation(p_user bigint, p_token text, p_ttl integer, p_sealed bytea) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  account accounts;
  address text;
  wait integer;
BEGIN
  -- Every change locks the account first. One that is stopped meanwhile stays stopped.
  SELECT * INTO account FROM accounts WHERE user_id = p_user FOR UPDATE;
  SELECT t.email INTO address FROM mail_tokens t
  WHERE t.user_id = p_user AND t.purpose = 'confirm' AND t.used_at IS NULL AND t.expires_at > now() AND t.email <> account.email
  ORDER BY t.expires_at DESC LIMIT 1;
  IF NOT FOUND AND account.confirmed_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'confirmed');
  END IF;
  address := coalesce(address, account.email);
  wait := mail_link(p_user, 'confirm', address, p_token, p_sealed, p_ttl);
  IF wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', wait);
  END IF;
  UPDATE mail_tokens SET expires_at = now() + make_interval(secs => p_ttl)
  WHERE user_id = p_user AND purpose = 'cancel' AND used_at IS NULL AND expires_at > now();
  RETURN json_build_object('outcome', 'sent');
END $$;
