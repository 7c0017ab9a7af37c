CREATE OR REPLACE FUNCTION webhook_row(w webhooks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', w.id, 'created_at', id_created_at(w.id), 'updated_at', w.updated_at, 'app_id', w.app_id,
    'url', w.url, 'events', w.events, 'enabled', w.enabled, 'disabled_reason', w.disabled_reason,
    'failing_since', w.failing_since, 'previous_secret_expires_at',
    CASE WHEN w.previous_secret_expires_at > now() THEN w.previous_secret_expires_at END)
$$;
