-- Returns a webhook with a page of its deliveries, newest first.
CREATE OR REPLACE FUNCTION list_webhook_deliveries(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_before bigint, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  w webhooks;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO w FROM webhooks WHERE id = p_id AND user_id = p_user AND app_id = app_known_as(p_client);
  IF w.id IS NULL THEN
    RETURN json_build_object('found', false);
  END IF;
  RETURN json_build_object('found', true, 'webhook', webhook_row(w), 'deliveries', (
    SELECT coalesce(json_agg(webhook_delivery_row(d) ORDER BY d.id DESC), '[]') FROM (
      SELECT * FROM webhook_deliveries WHERE webhook_id = p_id AND id < p_before ORDER BY id DESC LIMIT p_limit) d));
END $$;
