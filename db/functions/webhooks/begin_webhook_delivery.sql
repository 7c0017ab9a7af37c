-- Of those who come for one delivery at once, one gets it; null for all others. The next attempt is set as if this one will
-- not be heard of again, and counts. After ten, over some three days, it has failed. Past `p_budget`, which all webhooks to one
-- host share, it waits for the next window, and that counts for nothing.
CREATE OR REPLACE FUNCTION begin_webhook_delivery(p_id bigint, p_attempt uuid, p_budget jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d webhook_deliveries;
  w webhooks;
  spent jsonb;
BEGIN
  SELECT o.* INTO w FROM webhook_deliveries p JOIN webhooks o ON o.id = p.webhook_id WHERE p.id = p_id AND p.state = 'pending';
  IF w.id IS NULL OR NOT webhook_is_open(w) THEN
    RETURN NULL;
  ELSIF NOT app_has_access(w.user_id, w.app_id) THEN
    -- The webhook before its deliveries, as whoever switches it off holds them.
    UPDATE webhooks SET enabled = false, disabled_reason = 'access_ended', updated_at = now() WHERE id = w.id AND enabled;
    RETURN NULL;
  END IF;
  SELECT * INTO d FROM webhook_deliveries WHERE id = p_id AND state = 'pending' AND next_attempt_at <= now() FOR UPDATE;
  SELECT * INTO w FROM webhooks WHERE id = d.webhook_id;
  IF w.id IS NULL OR NOT webhook_is_open(w) THEN
    RETURN NULL;
  ELSIF d.tries >= 10 THEN
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt = NULL WHERE id = d.id;
    RETURN NULL;
  END IF;
  spent := take_budget(p_budget, w.target_host);
  IF (spent->>'refused')::boolean THEN
    UPDATE webhook_deliveries SET next_attempt_at = now() + make_interval(secs => (spent->>'reset_s')::integer),
      dispatched_at = NULL
    WHERE id = d.id;
    RETURN NULL;
  END IF;
  UPDATE webhook_deliveries SET tries = tries + 1, attempt = p_attempt, next_attempt_at = now() + interval '1 minute'
  WHERE id = d.id;
  RETURN json_build_object('delivery', webhook_delivery_row(d), 'url', w.url, 'secrets', json_build_array(
    encode(w.secret_sealed, 'base64'),
    CASE WHEN w.previous_secret_expires_at > now() THEN encode(w.previous_secret_sealed, 'base64') END));
END $$;
