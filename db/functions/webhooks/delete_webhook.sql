CREATE OR REPLACE FUNCTION delete_webhook(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  DELETE FROM webhooks WHERE id = p_id AND user_id = p_user AND app_id = app_known_as(p_client);
  RETURN json_build_object('auth_ok', true, 'found', FOUND);
END $$;
