-- Stops a change of address by the link sent to the old address. False if the link is unknown, expired or too late.
CREATE OR REPLACE FUNCTION cancel_email_change(p_token text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  token mail_tokens;
BEGIN
  -- Locks the account first, like `withdraw_email_change`.
  PERFORM FROM accounts WHERE user_id = (SELECT user_id FROM mail_tokens WHERE hash = p_token) FOR UPDATE;
  SELECT t.* INTO token FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id JOIN users u ON u.id = t.user_id
  WHERE t.hash = p_token AND t.purpose = 'cancel' AND t.expires_at > now() AND t.email = a.email AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- A link works once, or a second use could stop a later change.
  IF token.used_at IS NULL THEN
    PERFORM withdraw_email_change(token.user_id, NULL);
  END IF;
  RETURN true;
END $$;
