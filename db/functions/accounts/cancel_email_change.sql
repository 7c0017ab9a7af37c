-- The link that the old address got: stops the change. False where the link never was, has expired, or came too late.
CREATE OR REPLACE FUNCTION cancel_email_change(p_token text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  token mail_tokens;
BEGIN
  -- The account's lock comes first, as with every change: a confirmation that runs at once is either stopped or seen.
  PERFORM FROM accounts WHERE user_id = (SELECT user_id FROM mail_tokens WHERE hash = p_token) FOR UPDATE;
  SELECT t.* INTO token FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id JOIN users u ON u.id = t.user_id
  WHERE t.hash = p_token AND t.purpose = 'cancel' AND t.expires_at > now() AND t.email = a.email AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- A link that was used stops nothing again, but its own change is still stopped.
  IF token.used_at IS NULL THEN
    PERFORM end_email_change(token.user_id);
  END IF;
  RETURN true;
END $$;
