-- Creates a session with its first refresh token, of a user or, without one, of the app itself. A field is null if the
-- app or the user does not exist or is disabled.
CREATE OR REPLACE FUNCTION create_grant(
  p_by jsonb, p_client text, p_user jsonb, p_refresh_hash text, p_session_ttl integer, p_refresh_ttl integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  app bigint;
  owner users;
  session bigint;
BEGIN
  SELECT id INTO app FROM apps WHERE client_id = p_client AND disabled_at IS NULL;
  IF p_user IS NOT NULL THEN
    SELECT * INTO owner FROM users WHERE id = named_user(p_user) AND disabled_at IS NULL;
  END IF;
  IF app IS NOT NULL AND (p_user IS NULL OR owner.id IS NOT NULL) THEN
    session := open_session(app, owner.id, '', p_refresh_hash, p_session_ttl, p_refresh_ttl);
    PERFORM note_act(p_by, 'token.create', 'app', app, p_client, jsonb_build_object('user', owner.permalink));
  END IF;
  RETURN json_build_object('session', session, 'app', app, 'user', owner.id);
END $$;
