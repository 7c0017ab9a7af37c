CREATE OR REPLACE FUNCTION find_webhook(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('webhook', (
    SELECT webhook_row(w) FROM webhooks w WHERE w.id = p_id AND w.user_id = p_user AND w.app_id = app_known_as(p_client)));
END $$;
