-- Marks due deliveries as sent and returns them. Takes some per webhook, hosts in turn, and the users of each host in turn, so
-- that a busy one delays no other. Hosts over budget wait for their next window. New deliveries were sent at once, so they are
-- due here only after some seconds.
CREATE OR REPLACE FUNCTION dispatch_webhook_deliveries(p_each integer, p_limit integer, p_budget jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  sent json;
BEGIN
  -- Locks out a second cron, which then finds nothing to do.
  IF NOT pg_try_advisory_xact_lock(hashtext('dispatch_webhook_deliveries')) THEN
    RETURN '[]';
  END IF;
  -- Steps through the index of pending deliveries from webhook to webhook. Most webhooks have none.
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM webhook_deliveries WHERE state = 'pending' ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.state = 'pending' AND d.webhook_id > p.webhook_id
      ORDER BY d.webhook_id LIMIT 1)
    FROM waiting p WHERE p.webhook_id IS NOT NULL
  ), due AS (
    SELECT d.id, d.next_attempt_at, w.target_host, w.user_id FROM waiting p JOIN webhooks w ON w.id = p.webhook_id, LATERAL (
      SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.state = 'pending' AND d.next_attempt_at <= now()
        AND CASE WHEN d.dispatched_at IS NULL AND d.tries = 0 THEN d.next_attempt_at < now() - interval '5 seconds'
          ELSE (d.dispatched_at < now() - interval '1 minute') IS NOT FALSE END
      ORDER BY d.next_attempt_at LIMIT p_each FOR UPDATE SKIP LOCKED) d
    WHERE w.enabled AND webhook_is_open(w) AND NOT EXISTS (
      SELECT FROM budgets b WHERE b.bucket = p_budget->>'name' || ' ' || w.target_host
        AND b.ends_at > now() AND b.taken >= (p_budget->>'max')::integer)
  ), users_in_turn AS (
    SELECT *, row_number() OVER (PARTITION BY target_host, user_id ORDER BY next_attempt_at) AS turn FROM due
  ), hosts_in_turn AS (
    SELECT *, row_number() OVER (PARTITION BY target_host ORDER BY turn, next_attempt_at) AS turn_of_host FROM users_in_turn
  ), marked AS (
    UPDATE webhook_deliveries d SET dispatched_at = now()
    FROM (SELECT id FROM hosts_in_turn ORDER BY turn_of_host, next_attempt_at LIMIT p_limit) n WHERE d.id = n.id RETURNING d.id)
  SELECT coalesce(json_agg(id), '[]') INTO sent FROM marked;
  RETURN sent;
END $$;
