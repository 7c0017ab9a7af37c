-- Makes the address of a mailed link the account's, and tells the replaced one. Following the link again changes nothing and returns the same.
CREATE OR REPLACE FUNCTION confirm_email(p_token text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  token mail_tokens;
  account accounts;
BEGIN
  SELECT * INTO token FROM mail_tokens t WHERE t.hash = p_token AND t.purpose = 'confirm' AND t.expires_at > now();
  SELECT a.* INTO account FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE a.user_id = token.user_id AND u.disabled_at IS NULL FOR UPDATE OF a;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid');
  END IF;
  SELECT * INTO token FROM mail_tokens t WHERE t.hash = p_token;
  IF token.used_at IS NOT NULL THEN
    RETURN json_build_object('outcome', CASE
      WHEN account.email = token.email AND account.confirmed_at IS NOT NULL THEN 'confirmed' ELSE 'invalid' END);
  END IF;
  UPDATE accounts SET email = token.email, confirmed_at = now(), awaits_confirmation = false WHERE user_id = token.user_id;
  -- Also deletes links for other addresses, or an older one could restore an older address.
  UPDATE mail_tokens SET used_at = now()
  WHERE user_id = token.user_id AND purpose IN ('confirm', 'cancel') AND used_at IS NULL;
  -- An address that nobody confirmed may be a stranger's.
  IF account.email <> token.email AND account.confirmed_at IS NOT NULL THEN
    PERFORM queue_mail(token.user_id, 'address-changed', account.email, NULL, NULL, NULL);
  END IF;
  RETURN json_build_object('outcome', 'confirmed');
EXCEPTION WHEN unique_violation THEN
  RETURN json_build_object('outcome', 'invalid');
END $$;
