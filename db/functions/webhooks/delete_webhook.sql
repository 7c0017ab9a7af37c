CREATE OR REPLACE FUNCTION delete_webhook(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  DELETE FROM webhooks WHERE id = p_id AND user_id = p_user AND app_id = app_known_as(p_client);
  RETURN json_build_object('found', FOUND);
END $$;
