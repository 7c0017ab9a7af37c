-- Queues a mail, due after `p_wait` seconds, and returns its id. A mail with a link replaces an earlier one that failed. A user
-- whose address may be a stranger's gets only those that prove it, and null is returned for others.
CREATE OR REPLACE FUNCTION queue_mail(
  p_user bigint, p_kind text, p_to text, p_token text, p_sealed bytea, p_facts jsonb, p_wait integer DEFAULT 0
) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
  queued bigint;
BEGIN
  IF p_kind NOT IN ('confirm', 'reset') AND EXISTS (SELECT FROM accounts a WHERE a.user_id = p_user AND a.awaits_confirmation) THEN
    RETURN NULL;
  END IF;
  IF p_token IS NOT NULL THEN
    DELETE FROM mails m WHERE m.user_id = p_user AND m.kind = p_kind AND lower(m.recipient) = lower(p_to)
      AND m.failure IS NOT NULL;
  END IF;
  INSERT INTO mails (user_id, kind, recipient, token_hash, expires_at, sealed, facts, next_attempt_at)
  VALUES (p_user, p_kind, p_to, p_token, (SELECT t.expires_at FROM mail_tokens t WHERE t.hash = p_token), p_sealed, p_facts,
    now() + make_interval(secs => p_wait))
  RETURNING id INTO queued;
  -- Tells the Worker, which sends it to the queue at once.
  PERFORM set_config('soundpost.mails', concat_ws(',', nullif(current_setting('soundpost.mails', true), ''), queued), true);
  RETURN queued;
END $$;
