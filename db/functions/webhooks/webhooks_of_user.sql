-- What the settings page shows of all webhooks that tell somebody of this user, newest first. Of the address only the host: the
-- rest may be a secret of the app's.
CREATE OR REPLACE FUNCTION webhooks_of_user(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', w.id, 'app', a.name, 'host', w.target_host, 'events', w.events,
    'enabled', w.enabled, 'disabled_reason', w.disabled_reason, 'created_at', id_created_at(w.id)) ORDER BY w.id DESC), '[]')
  FROM webhooks w JOIN apps a ON a.id = w.app_id WHERE w.user_id = p_user
$$;
