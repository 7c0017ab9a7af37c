-- Takes the next due deliveries of a user when an attempt ends: one to a slow target and one to another. Moves both behind the
-- others, so that the next end takes others.
CREATE OR REPLACE FUNCTION hand_on_deliveries(p_user bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  taken json;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook turns', p_user));
  WITH next AS (
    SELECT waiting.id FROM unnest('{f,t}'::boolean[]) AS lane(is_slow), LATERAL (
      SELECT d.id FROM webhooks w, LATERAL (
        SELECT id, dispatched_at FROM webhook_deliveries
        WHERE webhook_id = w.id AND state = 'pending' AND attempt IS NULL AND next_attempt_at <= now()
          AND dispatched_at <= clock_timestamp()
        ORDER BY next_attempt_at LIMIT 64) d
      WHERE w.user_id = p_user AND w.slow = is_slow AND w.enabled
      ORDER BY d.dispatched_at LIMIT 1) waiting
    WHERE webhook_room(p_user, is_slow) > 0
  ), marked AS (
    UPDATE webhook_deliveries d SET dispatched_at = clock_timestamp() FROM next n WHERE d.id = n.id RETURNING d.id)
  SELECT coalesce(json_agg(id), '[]') INTO taken FROM marked;
  RETURN taken;
END $$;
