-- Records an attempt's end: a sent mail is deleted, `p_failure` has the provider's words about another. Null if another
-- attempt took over or the mail is gone.
CREATE OR REPLACE FUNCTION settle_mail(p_id bigint, p_attempt uuid, p_failure text, p_permanent boolean) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  -- Seconds after each attempt, sixteen hours in all. Greylisting wants some minutes.
  waits CONSTANT integer[] := '{10, 60, 300, 900, 1800, 3600, 7200, 14400, 28800}';
  m mails;
  wait_s float8;
BEGIN
  SELECT * INTO m FROM mails WHERE id = p_id AND attempt = p_attempt FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  ELSIF p_failure IS NULL THEN
    DELETE FROM mails WHERE id = m.id;
    RETURN json_build_object('state', 'sent', 'retry_in_s', NULL);
  ELSIF NOT p_permanent THEN
    -- Jitter separates mails that failed together. Null after the last attempt.
    wait_s := waits[m.tries] * (1 + random() / 5);
  END IF;
  UPDATE mails SET attempt = NULL, failure = left(p_failure, 1000),
    state = CASE WHEN wait_s IS NULL THEN 'failed' ELSE 'waiting' END,
    next_attempt_at = least(now() + make_interval(secs => wait_s), CASE WHEN wait_s IS NOT NULL THEN expires_at END),
    dispatched_at = CASE WHEN wait_s < 60 THEN now() + make_interval(secs => wait_s) END
  WHERE id = m.id;
  RETURN json_build_object('state', CASE WHEN wait_s IS NULL THEN 'failed' ELSE 'waiting' END, 'retry_in_s', wait_s);
END $$;
