-- Mails another confirmation link to the account's address or to the one that it is to become. The link that stops a
-- change works as long as the newest that confirms it.
CREATE OR REPLACE FUNCTION resend_confirmation(p_session text, p_token text, p_ttl integer, p_sealed bytea) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  who json := site_user(p_session);
  owner bigint := (who->>'id')::bigint;
  address text;
  wait integer;
BEGIN
  IF who IS NULL THEN
    RETURN json_build_object('outcome', 'signed_out');
  END IF;
  -- Every change locks the account first. One that is stopped meanwhile stays stopped.
  PERFORM FROM accounts WHERE user_id = owner FOR UPDATE;
  address := CASE WHEN (who->>'confirmed')::boolean THEN pending_email(owner) ELSE who->>'email' END;
  IF address IS NULL THEN
    RETURN json_build_object('outcome', 'confirmed');
  END IF;
  wait := make_mail_token(owner, 'confirm', address, p_token, p_ttl);
  IF wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', wait);
  END IF;
  UPDATE mail_tokens SET expires_at = now() + make_interval(secs => p_ttl)
  WHERE user_id = owner AND purpose = 'cancel' AND used_at IS NULL AND expires_at > now();
  PERFORM mail_unless_taken(owner, address, p_token, p_sealed);
  RETURN json_build_object('outcome', 'sent');
END $$;
