-- Returns all webhooks about this user for the settings page, newest first. Shows only the host, because the rest of
-- the URL may be the app's secret.
CREATE OR REPLACE FUNCTION webhooks_of_user(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', w.id, 'app', a.name, 'host', w.target_host, 'events', w.events,
    'enabled', w.enabled, 'disabled_reason', w.disabled_reason, 'created_at', id_created_at(w.id)) ORDER BY w.id DESC), '[]')
  FROM webhooks w JOIN apps a ON a.id = w.app_id WHERE w.user_id = p_user
$$;
