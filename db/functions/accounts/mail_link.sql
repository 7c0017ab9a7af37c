-- Makes a link for one of the user's addresses and queues its mail, at most five an hour of each purpose; otherwise returns the
-- seconds to wait. A stranger can request resets, and a thief changes of address. Neither may use up the owner's mails. An
-- address that belongs to another account gets no mail, and the reply does not show it.
CREATE OR REPLACE FUNCTION mail_link(
  p_user bigint, p_purpose text, p_email text, p_token text, p_sealed bytea, p_ttl integer
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  in_vain boolean := EXISTS (SELECT FROM accounts a WHERE lower(a.email) = lower(p_email) AND a.user_id <> p_user);
  -- Confirmations also count by address, across accounts. Otherwise somebody could delete the account, sign up again, and mail a
  -- stranger without limit. Mails to another account's address are not sent and count apart, or they would use up its owner's.
  address text := CASE WHEN p_purpose = 'confirm' THEN 'confirm ' || encode(sha256(convert_to(lower(p_email), 'UTF8')), 'base64')
    || CASE WHEN in_vain THEN ' in vain' ELSE '' END END;
  attempt record;
BEGIN
  -- An address may get a sixth mail, because the sign-up sent one.
  SELECT * INTO attempt FROM take_attempt(array_remove(ARRAY['mail ' || p_purpose || ' ' || p_user, address], NULL),
    ARRAY[5, 6], ARRAY[interval '1 hour', interval '1 hour']);
  IF attempt.wait = 0 THEN
    INSERT INTO mail_tokens (hash, user_id, purpose, email, expires_at)
    VALUES (p_token, p_user, p_purpose, p_email, now() + make_interval(secs => p_ttl));
    IF NOT in_vain THEN
      PERFORM queue_mail(p_user, p_purpose, p_email, p_token, p_sealed, NULL);
    END IF;
  END IF;
  RETURN attempt.wait;
END $$;
