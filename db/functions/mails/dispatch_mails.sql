-- Marks due mails as sent to the queue and returns their ids. New ones were sent at once, so they are due here only after
-- some seconds. One whose message was lost is sent again after a minute.
CREATE OR REPLACE FUNCTION dispatch_mails(p_limit integer) RETURNS json LANGUAGE sql AS $$
  WITH due AS (
    SELECT id FROM mails
    WHERE state = 'waiting' AND next_attempt_at <= now()
      AND CASE WHEN dispatched_at IS NULL AND tries = 0 THEN next_attempt_at < now() - interval '5 seconds'
        ELSE (dispatched_at < now() - interval '1 minute') IS NOT FALSE END
    ORDER BY next_attempt_at LIMIT p_limit FOR UPDATE SKIP LOCKED
  ), marked AS (
    UPDATE mails m SET dispatched_at = now() FROM due WHERE m.id = due.id RETURNING m.id)
  SELECT coalesce(json_agg(id), '[]') FROM marked
$$;
