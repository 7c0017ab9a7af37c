-- Opens a session of the docs' own app for trying the API. The app is made on first use and has no owner, who could give it
-- a secret without the plan that apps may need. A dot keeps its permalink apart from those made of names. NULL if signed out.
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
  INSERT INTO apps (client_id, secret_hash, name, permalink, redirect_uris)
  VALUES ('docs', '', 'Try it from the docs', 'docs.try', '{}') ON CONFLICT (client_id) DO NOTHING;
  SELECT * INTO app FROM apps WHERE client_id = 'docs';
  INSERT INTO sessions (app_id, user_id, scope, expires_at)
  VALUES (app.id, visitor, '', now() + make_interval(secs => p_ttl)) RETURNING id INTO opened;
  RETURN json_build_object('session', opened, 'client', app.client_id, 'user', visitor);
END $$;
