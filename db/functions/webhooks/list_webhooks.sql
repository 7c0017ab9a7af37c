CREATE OR REPLACE FUNCTION list_webhooks(p_session bigint, p_client text, p_user bigint, p_before bigint, p_limit integer) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('webhooks', (
    SELECT coalesce(json_agg(webhook_row(w) ORDER BY w.id DESC), '[]') FROM (
      SELECT * FROM webhooks WHERE user_id = p_user AND app_id = app_known_as(p_client) AND id < p_before
      ORDER BY id DESC LIMIT p_limit) w));
END $$;
