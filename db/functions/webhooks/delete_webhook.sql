-- Deletes a webhook with its log. `p_by` is the client of the token that asks, whose app made it; null for the settings, where
-- users end the webhooks of any app. False if there is no such webhook.
CREATE OR REPLACE FUNCTION delete_webhook(p_owner bigint, p_by text, p_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhooks WHERE id = p_id AND user_id = p_owner AND (p_by IS NULL OR app_id = app_known_as(p_by));
  RETURN FOUND;
END $$;
