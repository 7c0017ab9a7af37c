-- Tells whether a webhook still receives events: neither its user nor its app is disabled.
CREATE OR REPLACE FUNCTION webhook_is_open(w webhooks) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT w.enabled AND NOT EXISTS (SELECT FROM users u WHERE u.id = w.user_id AND u.disabled_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM apps a WHERE a.id = w.app_id AND a.disabled_at IS NOT NULL)
$$;
