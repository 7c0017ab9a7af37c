-- Returns the webhook of this app and user with the same target, or null.
CREATE OR REPLACE FUNCTION webhook_with_target(p_user bigint, p_app bigint, p_webhook jsonb) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM webhooks
  WHERE user_id = p_user AND app_id = p_app AND target_hash = (p_webhook->>'target_hash')::bytea
$$;
