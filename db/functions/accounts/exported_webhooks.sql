-- Returns the webhooks of an account's export. Of strangers' apps it shows only the host, because the rest of the URL may
-- be the app's secret.
CREATE OR REPLACE FUNCTION exported_webhooks(p_user bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('webhooks', coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'app_id', w.app_id,
      'url', CASE WHEN a.owner_id = p_user OR a.client_id = 'site' THEN w.url END, 'host', w.target_host, 'events', w.events,
      'enabled', w.enabled, 'disabled_reason', w.disabled_reason, 'created_at', id_created_at(w.id),
      'updated_at', w.updated_at) ORDER BY w.id), '[]'))
  FROM webhooks w JOIN apps a ON a.id = w.app_id WHERE w.user_id = p_user
$$;
