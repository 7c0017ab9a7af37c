-- Which webhook of this app and user goes where `p_webhook` does; null for none.
CREATE OR REPLACE FUNCTION webhook_with_target(p_user bigint, p_app bigint, p_webhook jsonb) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM webhooks
  WHERE user_id = p_user AND app_id = p_app AND target_hash = (p_webhook->>'target_hash')::bytea
$$;
