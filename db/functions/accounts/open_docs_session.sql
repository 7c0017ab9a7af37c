-- Opens a session of the docs' own app for trying the API. The app is made on first use and has no owner, who could give it
-- a secret without the plan that apps may need. A dot keeps its permalink apart from those made of names. The session ends with
-- the sign-in. NULL if signed out.
CREATE OR REPLACE FUNCTION open_docs_session(p_site_session text, p_ttl integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  signed_in site_sessions;
  app apps;
  opened bigint;
BEGIN
  SELECT s.* INTO signed_in FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
  FOR KEY SHARE OF u FOR SHARE OF s;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO apps (client_id, secret_hash, name, permalink, redirect_uris)
  VALUES ('docs', '', 'Try it from the docs', 'docs.try', '{}') ON CONFLICT DO NOTHING;
  SELECT * INTO app FROM apps WHERE client_id = 'docs';
  INSERT INTO sessions (app_id, user_id, site_session_hash, scope, expires_at)
  VALUES (app.id, signed_in.user_id, signed_in.hash, '', least(now() + make_interval(secs => p_ttl), signed_in.expires_at))
  RETURNING id INTO opened;
  RETURN json_build_object('session', opened, 'client', app.client_id, 'user', signed_in.user_id);
END $$;
