-- Records an attempt's result; null if another attempt took over. `next` are deliveries that have room now. A webhook
-- that replies 410, or fails for five days, is disabled, and its owner gets a mail: five an hour at most, because an app may
-- enable it again and again.
CREATE OR REPLACE FUNCTION settle_webhook_delivery(p_id bigint, p_attempt uuid, p_result jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  -- Seconds after each attempt: github.com/standard-webhooks/standard-webhooks, "Deliverability and reliability".
  waits CONSTANT integer[] := '{5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400}';
  delivered boolean := p_result->>'failure' IS NULL;
  d webhook_deliveries;
  wait_s float8;
  reason text;
  owner record;
  notice record;
BEGIN
  -- Locks the webhook first, like the statement that disables it.
  PERFORM FROM webhooks WHERE id = (SELECT webhook_id FROM webhook_deliveries WHERE id = p_id) FOR NO KEY UPDATE;
  UPDATE webhook_deliveries SET attempt = NULL, attempts =
    CASE WHEN jsonb_array_length(attempts) >= 20 THEN attempts - 0 ELSE attempts END || (p_result - '{retry_after_s,slow}'::text[])
  WHERE id = p_id AND attempt = p_attempt RETURNING * INTO d;
  IF NOT FOUND THEN
    RETURN NULL;
  ELSIF NOT delivered THEN
    -- Jitter separates deliveries that failed together.
    wait_s := greatest(waits[d.tries] * (1 + random() / 5), least(coalesce((p_result->>'retry_after_s')::float8, 0), 86400));
  END IF;
  UPDATE webhook_deliveries SET
    state = CASE WHEN delivered THEN 'delivered' WHEN d.tries > cardinality(waits) THEN 'failed' ELSE 'pending' END,
    next_attempt_at = CASE WHEN NOT delivered AND d.tries <= cardinality(waits) THEN now() + make_interval(secs => wait_s) END,
    dispatched_at = CASE WHEN wait_s < 60 THEN now() + make_interval(secs => wait_s) END
  WHERE id = d.id RETURNING * INTO d;
  UPDATE webhooks SET slow = (p_result->>'slow')::boolean WHERE id = d.webhook_id AND slow <> (p_result->>'slow')::boolean;
  IF delivered THEN
    UPDATE webhooks SET failing_since = NULL WHERE id = d.webhook_id AND failing_since IS NOT NULL;
  ELSE
    UPDATE webhooks SET failing_since = coalesce(failing_since, now()),
      disabled_reason = CASE WHEN (p_result->>'response_code')::integer = 410 THEN 'gone'
        WHEN failing_since < now() - interval '5 days' THEN 'failing' END
    WHERE id = d.webhook_id AND enabled RETURNING disabled_reason INTO reason;
    UPDATE webhooks SET enabled = false, updated_at = now() WHERE id = d.webhook_id AND reason IS NOT NULL;
  END IF;
  IF reason IS NOT NULL THEN
    SELECT a.user_id, a.email INTO owner
    FROM accounts a JOIN webhooks w ON w.user_id = a.user_id WHERE w.id = d.webhook_id AND a.confirmed_at IS NOT NULL;
    IF FOUND THEN
      SELECT * INTO notice
      FROM take_attempt(ARRAY['mail webhook-disabled ' || owner.user_id], ARRAY[5], ARRAY[interval '1 hour']);
      IF notice.wait = 0 THEN
        PERFORM queue_mail(owner.user_id, 'webhook-disabled', owner.email, NULL, NULL,
          jsonb_build_object('webhook', d.webhook_id, 'reason', reason));
      END IF;
    END IF;
  END IF;
  RETURN json_build_object('webhook', d.webhook_id, 'state', d.state, 'retry_in_s',
    CASE WHEN d.state = 'pending' AND reason IS NULL THEN wait_s END, 'disabled', reason,
    'next', hand_on_deliveries((SELECT user_id FROM webhooks WHERE id = d.webhook_id)));
END $$;
