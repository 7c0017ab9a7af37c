-- Whose owner left or was disabled, or whose app was, is told nothing.
CREATE OR REPLACE FUNCTION webhook_is_open(w webhooks) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT w.enabled AND NOT EXISTS (SELECT FROM users u WHERE u.id = w.user_id AND u.disabled_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM apps a WHERE a.id = w.app_id AND a.disabled_at IS NOT NULL)
$$;
