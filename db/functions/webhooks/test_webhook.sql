-- Creates a test event for this webhook only.
CREATE OR REPLACE FUNCTION test_webhook(p_session bigint, p_client text, p_user bigint, p_id bigint, p_budget jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  w webhooks;
  d webhook_deliveries;
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO w FROM webhooks
  WHERE id = p_id AND user_id = p_user AND app_id = (SELECT id FROM apps WHERE client_id = p_client) FOR SHARE;
  IF w.id IS NULL THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF NOT w.enabled THEN
    RETURN json_build_object('outcome', 'disabled');
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  INSERT INTO webhook_deliveries (webhook_id, event, data, dispatched_at)
  VALUES (w.id, 'webhook.test', jsonb_build_object('user', mini_user(p_user)), now()) RETURNING * INTO d;
  RETURN json_build_object('outcome', 'due', 'spent', spent, 'delivery', webhook_delivery_row(d));
END $$;
