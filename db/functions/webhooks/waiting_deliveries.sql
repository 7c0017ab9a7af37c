-- Returns the due deliveries of a user that found no room and fit now, the oldest first.
CREATE OR REPLACE FUNCTION waiting_deliveries(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(waiting.id), '[]') FROM unnest('{f,t}'::boolean[]) AS lane(is_slow), webhook_room(p_user, is_slow) AS room,
    LATERAL (
      SELECT d.id FROM webhooks w, LATERAL (
        SELECT id, next_attempt_at FROM webhook_deliveries
        WHERE webhook_id = w.id AND state = 'pending' AND attempt IS NULL AND next_attempt_at <= now() AND dispatched_at <= now()
        ORDER BY next_attempt_at LIMIT room) d
      WHERE w.user_id = p_user AND w.slow = is_slow AND w.enabled
      ORDER BY d.next_attempt_at LIMIT room) waiting
$$;
