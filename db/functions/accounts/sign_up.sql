-- Creates profile, account, session, confirmation link and its mail together. If the address has had too many mails, this one
-- waits until it may be sent. Nobody else can use that turn, because the address has an account now. The lock on an invitation
-- makes its number of uses exact.
CREATE OR REPLACE FUNCTION sign_up(
  p_new jsonb, p_old_session text, p_session text, p_browser text, p_ttl integer, p_token text, p_token_ttl integer,
  p_sealed bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  made bigint;
  attempt record;
  invited bigint;
  violated text;
BEGIN
  IF p_new->>'invitation' IS NOT NULL THEN
    UPDATE invitations SET used = used + 1
    WHERE code_hash = p_new->>'invitation' AND used < uses AND ended_at IS NULL AND expires_at > now()
    RETURNING id INTO invited;
    IF NOT FOUND THEN
      RETURN json_build_object('outcome', 'uninvited');
    END IF;
  END IF;
  INSERT INTO users (username, username_key, look_alike_key, permalink)
  VALUES (p_new->>'username', p_new->>'username_key', p_new->>'look_alike_key',
    -- Without a spare, the insert fails if the permalink is taken.
    CASE WHEN linked_id('user', NULL, p_new->>'permalink') IS NOT NULL
      THEN coalesce(p_new->>'spare', p_new->>'permalink') ELSE p_new->>'permalink' END)
  RETURNING id INTO made;
  INSERT INTO accounts (user_id, email, password_hash, awaits_confirmation, invitation_id)
  VALUES (made, p_new->>'email', p_new->>'password_hash', coalesce((p_new->>'awaits_confirmation')::boolean, false), invited);
  UPDATE site_sessions SET revoked_at = now() WHERE hash = p_old_session AND revoked_at IS NULL;
  INSERT INTO site_sessions (hash, user_id, browser, expires_at)
  VALUES (p_session, made, p_browser, now() + make_interval(secs => p_ttl));
  INSERT INTO mail_tokens (hash, user_id, purpose, email, expires_at)
  VALUES (p_token, made, 'confirm', p_new->>'email', now() + make_interval(secs => p_token_ttl));
  -- The limit of `mail_link`.
  SELECT * INTO attempt FROM take_attempt(
    ARRAY['confirm ' || encode(sha256(convert_to(lower(p_new->>'email'), 'UTF8')), 'base64')], ARRAY[6], ARRAY[interval '1 hour']);
  PERFORM queue_mail(made, 'confirm', p_new->>'email', p_token, p_sealed, NULL, attempt.wait);
  RETURN json_build_object('outcome', 'made', 'user', made);
EXCEPTION WHEN unique_violation THEN
  GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
  RETURN json_build_object('outcome', 'taken', 'username_taken', violated <> 'accounts_email_key',
    'email_taken', violated = 'accounts_email_key');
END $$;
