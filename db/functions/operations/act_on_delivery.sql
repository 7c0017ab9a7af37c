-- Retries or drops a webhook delivery. A retry makes it due with all its attempts, and the cron sends it. A dropped delivery has
-- failed. Refuses while an attempt is running.
CREATE OR REPLACE FUNCTION act_on_delivery(p_by jsonb, p_act text, p_id bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  w webhooks;
  before webhook_deliveries;
BEGIN
  PERFORM require_operator(p_by);
  -- Locks the webhook first, like the statement that disables it.
  SELECT * INTO w FROM webhooks WHERE id = (SELECT webhook_id FROM webhook_deliveries WHERE id = p_id) FOR SHARE;
  SELECT * INTO before FROM webhook_deliveries WHERE id = p_id FOR UPDATE;
  IF w.id IS NULL OR before.id IS NULL THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF before.attempt IS NOT NULL AND before.next_attempt_at > now() THEN
    RETURN json_build_object('outcome', 'running');
  ELSIF p_act = 'retry' AND NOT w.enabled THEN
    RETURN json_build_object('outcome', 'disabled');
  ELSIF p_act = 'drop' AND before.state <> 'pending' THEN
    RETURN json_build_object('outcome', before.state);
  ELSIF p_act = 'retry' THEN
    UPDATE webhook_deliveries SET state = 'pending', tries = 0, attempt = NULL, next_attempt_at = now() - interval '5 seconds',
      dispatched_at = NULL
    WHERE id = p_id;
  ELSE
    UPDATE webhook_deliveries SET state = 'failed', attempt = NULL, next_attempt_at = NULL, dispatched_at = NULL
    WHERE id = p_id;
  END IF;
  PERFORM note_act(p_by, 'delivery.' || p_act, 'delivery', p_id, w.target_host,
    jsonb_build_object('state', before.state, 'tries', before.tries, 'user_id', w.user_id));
  RETURN json_build_object('outcome', 'done');
END $$;
