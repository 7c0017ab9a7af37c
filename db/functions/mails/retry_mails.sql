-- Makes mails due at once with all attempts before them: one, or all that failed. Returns the ids, and notes the act unless
-- there are none. A mail whose link has expired cannot be sent any more, and one whose attempt is running would be sent twice.
CREATE OR REPLACE FUNCTION retry_mails(p_by jsonb, p_id bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  due mails[];
BEGIN
  PERFORM begin_act(p_by);
  WITH again AS (
    UPDATE mails m SET state = 'waiting', tries = 0, attempt = NULL, next_attempt_at = now(), dispatched_at = NULL
    WHERE (m.id = p_id OR p_id IS NULL AND m.state = 'failed') AND (m.expires_at <= now()) IS NOT TRUE
      AND (m.attempt IS NULL OR m.next_attempt_at <= now())
    RETURNING m)
  SELECT coalesce(array_agg(a.m), '{}') INTO due FROM again a;
  PERFORM note_mails(p_by, 'mail.retry', p_id, due);
  RETURN (SELECT coalesce(json_agg(d.id), '[]') FROM unnest(due) d);
END $$;
