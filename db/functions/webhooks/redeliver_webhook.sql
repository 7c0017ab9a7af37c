-- Makes a delivery due again and keeps its attempts, or creates one of a test event if `p_delivery` is null. Refuses while an
-- attempt is running.
CREATE OR REPLACE FUNCTION redeliver_webhook(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_delivery bigint, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  w webhooks;
  d webhook_deliveries;
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO w FROM webhooks
  WHERE id = p_id AND user_id = p_user AND app_id = (SELECT id FROM apps WHERE client_id = p_client) FOR SHARE;
  SELECT * INTO d FROM webhook_deliveries WHERE id = p_delivery AND webhook_id = w.id FOR UPDATE;
  IF w.id IS NULL OR d.id IS DISTINCT FROM p_delivery THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF NOT w.enabled THEN
    RETURN json_build_object('outcome', 'disabled');
  ELSIF d.attempt IS NOT NULL AND d.next_attempt_at > now() THEN
    RETURN json_build_object('outcome', 'running');
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  IF p_delivery IS NULL THEN
    INSERT INTO webhook_deliveries (webhook_id, event, data, dispatched_at)
    VALUES (w.id, 'webhook.test', jsonb_build_object('user', mini_user(p_user)), now()) RETURNING * INTO d;
  ELSE
    UPDATE webhook_deliveries SET state = 'pending', tries = 0, attempt = NULL, next_attempt_at = now(), dispatched_at = now()
    WHERE id = d.id RETURNING * INTO d;
  END IF;
  RETURN json_build_object('outcome', 'due', 'spent', spent, 'delivery', json_build_object(
    'id', d.id, 'webhook_id', d.webhook_id, 'event_id', coalesce(d.event_id, d.id),
    'occurred_at', id_created_at(coalesce(d.event_id, d.id)), 'event', d.event, 'data', d.data,
    'state', d.state, 'attempts', d.attempts, 'next_attempt_at', d.next_attempt_at));
END $$;
