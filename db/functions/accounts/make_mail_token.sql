-- Makes a link for one of the user's addresses, at most five an hour of each purpose. A stranger can ask for resets, and a
-- thief for changes of address. Neither may use up the mails that the owner needs. The sixth to an unconfirmed address is
-- the one of the sign-up.
CREATE OR REPLACE FUNCTION make_mail_token(p_user bigint, p_purpose text, p_email text, p_token text, p_ttl integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  attempt record;
BEGIN
  SELECT * INTO attempt FROM take_attempt(
    array_remove(ARRAY['mail ' || p_purpose || ' ' || p_user,
      CASE WHEN p_purpose = 'confirm' THEN confirmations_to(p_user, p_email) END], NULL),
    ARRAY[5, 6], ARRAY[interval '1 hour', interval '1 hour']);
  IF attempt.wait = 0 THEN
    INSERT INTO mail_tokens (hash, user_id, purpose, email, expires_at)
    VALUES (p_token, p_user, p_purpose, p_email, now() + make_interval(secs => p_ttl));
  END IF;
  RETURN attempt.wait;
END $$;
