-- Makes mails due at once with all attempts before them: one, or all that failed. Returns the ids. A mail whose link has
-- expired cannot be sent any more.
CREATE OR REPLACE FUNCTION retry_mails(p_id bigint) RETURNS json LANGUAGE sql AS $$
  WITH again AS (
    UPDATE mails SET state = 'waiting', tries = 0, attempt = NULL, next_attempt_at = now(), dispatched_at = NULL
    WHERE (id = p_id OR p_id IS NULL AND state = 'failed') AND (expires_at <= now()) IS NOT TRUE
    RETURNING id)
  SELECT coalesce(json_agg(id), '[]') FROM again
$$;
