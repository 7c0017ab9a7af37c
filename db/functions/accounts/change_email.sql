-- Queues a change of address until its link is followed. The current address gets a link that stops it. An address of
-- another account gets no mail, but the page looks the same. Whoever waits for the first confirmation may have mistyped the
-- address.
CREATE OR REPLACE FUNCTION change_email(
  p_session text, p_seen_hash text, p_attempt text, p_email text, p_token text, p_sealed bytea, p_cancel_token text,
  p_cancel_sealed bytea, p_ttl integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  changer bigint := confirmed_changer(p_session, p_seen_hash, p_attempt);
  account accounts;
  wait integer;
BEGIN
  SELECT * INTO account FROM accounts a WHERE a.user_id = changer;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'signed_out');
  ELSIF account.confirmed_at IS NULL AND NOT account.awaits_confirmation THEN
    RETURN json_build_object('outcome', 'unconfirmed');
  ELSIF account.email = p_email THEN
    RETURN json_build_object('outcome', 'same');
  END IF;
  wait := mail_link(changer, 'confirm', p_email, p_token, p_sealed, p_ttl);
  IF wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', wait);
  END IF;
  PERFORM withdraw_email_change(changer, p_token);
  INSERT INTO mail_tokens (hash, user_id, purpose, email, expires_at)
  VALUES (p_cancel_token, changer, 'cancel', account.email, now() + make_interval(secs => p_ttl));
  PERFORM queue_mail(changer, 'cancel', account.email, p_cancel_token, p_cancel_sealed, NULL);
  RETURN json_build_object('outcome', 'sent');
END $$;
