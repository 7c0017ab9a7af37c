-- Begins an attempt for one of several callers. Returns null to the others, and for a mail that is no longer of use. Schedules
-- the next attempt in case this one is lost.
CREATE OR REPLACE FUNCTION begin_mail(p_id bigint, p_attempt uuid) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m mails;
BEGIN
  SELECT * INTO m FROM mails WHERE id = p_id AND state = 'waiting' AND next_attempt_at <= now() FOR UPDATE SKIP LOCKED;
  IF m.id IS NULL THEN
    RETURN NULL;
  -- Its text is read anew, which Workers from before such mails cannot. They do nothing at this outcome.
  ELSIF m.kind = 'news' THEN
    RETURN json_build_object('outcome', 'news');
  ELSIF EXISTS (SELECT FROM users u WHERE u.id = m.user_id AND u.disabled_at IS NOT NULL) THEN
    DELETE FROM mails WHERE id = m.id;
    RETURN NULL;
  ELSIF m.expires_at <= now() THEN
    UPDATE mails SET state = 'failed', next_attempt_at = NULL, attempt = NULL, sealed = NULL,
      failure = concat_ws(': ', 'the link in it has expired', failure)
    WHERE id = m.id;
    RETURN json_build_object('outcome', 'expired');
  -- A link for the account's own address is useless once that address changes.
  ELSIF m.token_hash IS NOT NULL AND NOT EXISTS (
    SELECT FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id
    WHERE t.hash = m.token_hash AND t.used_at IS NULL AND t.expires_at > now()
      AND (t.purpose = 'confirm' OR t.email = a.email)) THEN
    DELETE FROM mails WHERE id = m.id;
    RETURN NULL;
  END IF;
  UPDATE mails SET tries = tries + 1, attempt = p_attempt, next_attempt_at = now() + interval '2 minutes' WHERE id = m.id;
  RETURN json_build_object('outcome', 'begun', 'kind', m.kind, 'recipient', m.recipient,
    'sealed', encode(m.sealed, 'base64'), 'facts', m.facts);
END $$;
