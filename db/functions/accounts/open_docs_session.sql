-- Opens a session of the user's own app for trying the API, which is made on first use. It has no secret and no redirect
-- address, so no other flow opens it. A dot keeps its permalink apart from those made of names. NULL if signed out.
CREATE OR REPLACE FUNCTION open_docs_session(p_site_session text, p_ttl integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  visitor bigint;
  app apps;
  opened bigint;
BEGIN
  SELECT u.id INTO visitor FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
  FOR SHARE OF s;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO apps (client_id, secret_hash, owner_id, name, permalink, redirect_uris)
  VALUES ('docs.' || visitor, '', visitor, 'Try it from the docs', 'docs.' || visitor, '{}')
  ON CONFLICT (client_id) DO UPDATE SET client_id = apps.client_id RETURNING * INTO app;
  INSERT INTO sessions (app_id, user_id, scope, expires_at)
  VALUES (app.id, visitor, '', now() + make_interval(secs => p_ttl)) RETURNING id INTO opened;
  RETURN json_build_object('session', opened, 'client', app.client_id, 'user', visitor);
END $$;
