-- Retries or drops (`p_act`) one mail, or all that failed. Notes the act unless there was none, and returns their ids.
-- Retried mails are due at once with all attempts before them. One whose link has expired cannot be sent any more, and one
-- whose attempt is running would be sent twice.
CREATE OR REPLACE FUNCTION act_on_mails(p_by jsonb, p_act text, p_id bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  meant mails[];
BEGIN
  PERFORM begin_act(p_by);
  IF p_act = 'retry' THEN
    WITH again AS (
      UPDATE mails m SET state = 'waiting', tries = 0, attempt = NULL, next_attempt_at = now(), dispatched_at = NULL
      WHERE (m.id = p_id OR p_id IS NULL AND m.state = 'failed') AND (m.expires_at <= now()) IS NOT TRUE
        AND (m.attempt IS NULL OR m.next_attempt_at <= now())
      RETURNING m)
    SELECT array_agg(a.m) INTO meant FROM again a;
  ELSIF p_act = 'drop' THEN
    WITH gone AS (
      DELETE FROM mails m WHERE m.id = p_id OR p_id IS NULL AND m.state = 'failed' RETURNING m)
    SELECT array_agg(g.m) INTO meant FROM gone g;
  END IF;
  IF meant IS NULL THEN
    RETURN '[]';
  END IF;
  -- Addresses are left out: the log outlives users.
  PERFORM note_act(p_by, 'mail.' || p_act, 'mail', p_id,
    CASE WHEN p_id IS NULL THEN cardinality(meant) || ' failed mails' ELSE meant[1].kind END,
    jsonb_build_object('mails', cardinality(meant), 'user', CASE WHEN p_id IS NOT NULL THEN meant[1].user_id END));
  RETURN (SELECT json_agg(m.id) FROM unnest(meant) m);
END $$;
