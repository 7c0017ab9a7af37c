-- Returns the user's webhooks for the site: `own` belong to the calling app, `others` to other apps. Of those it shows
-- only the host, because the rest of the URL may be the app's secret.
CREATE OR REPLACE FUNCTION list_site_webhooks(p_session bigint, p_client text, p_user bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  app bigint := app_known_as(p_client);
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object(
    'own', (SELECT coalesce(json_agg(webhook_row(w) ORDER BY w.id DESC), '[]') FROM webhooks w
      WHERE w.user_id = p_user AND w.app_id = app),
    'others', (SELECT coalesce(json_agg(json_build_object('id', w.id, 'app', a.name, 'host', w.target_host,
        'events', w.events, 'enabled', w.enabled) ORDER BY w.id DESC), '[]')
      FROM webhooks w JOIN apps a ON a.id = w.app_id WHERE w.user_id = p_user AND w.app_id <> app));
END $$;
