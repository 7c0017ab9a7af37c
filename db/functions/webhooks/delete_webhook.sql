-- Deletes a webhook with its log. `p_by` is the client of the token that asks, whose app made it; null for the settings, where
-- users end the webhooks of any app. False if there is no such webhook.
CREATE OR REPLACE FUNCTION delete_webhook(p_owner bigint, p_by text, p_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM webhooks
  WHERE id = p_id AND user_id = p_owner AND (p_by IS NULL OR app_id = (SELECT id FROM apps WHERE client_id = p_by))
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- The log goes first: a like of the owner's track waits for the end of a deleted webhook, and a million entries take long.
  DELETE FROM webhook_deliveries WHERE webhook_id = p_id;
  DELETE FROM webhooks WHERE id = p_id;
  RETURN true;
END $$;
