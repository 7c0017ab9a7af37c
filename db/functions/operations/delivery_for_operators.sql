-- Returns a webhook delivery as operators see one. Of the address only the host: the rest may be the receiver's secret.
CREATE OR REPLACE FUNCTION delivery_for_operators(d webhook_deliveries) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT to_jsonb(r) FROM (
    SELECT d.id, d.webhook_id, w.target_host AS host, u.id AS user_id, u.permalink AS "user", a.name AS app, d.event, d.state,
      d.tries, d.attempts->-1->>'failure' AS failure, (d.attempts->-1->>'response_code')::integer AS response_code,
      w.enabled, w.disabled_reason, id_created_at(d.id) AS created_at, d.next_attempt_at
    FROM webhooks w JOIN users u ON u.id = w.user_id JOIN apps a ON a.id = w.app_id WHERE w.id = d.webhook_id) r
$$;
