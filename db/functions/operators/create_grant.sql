-- Creates a session with its first refresh token, of a user or, without one, of the app itself. A field is null if the
-- app or the user does not exist or is disabled.
CREATE OR REPLACE FUNCTION create_grant(
  p_client text, p_of_user boolean, p_permalink text, p_username_key text, p_refresh_hash text, p_session_ttl integer,
  p_refresh_ttl integer
) RETURNS json LANGUAGE sql AS $$
  WITH app AS (
    SELECT id FROM apps WHERE client_id = p_client AND disabled_at IS NULL
  ), owner AS (
    SELECT id FROM users WHERE p_of_user AND id = named_user(p_permalink, p_username_key) AND disabled_at IS NULL
  ), session AS (
    INSERT INTO sessions (app_id, user_id, expires_at)
    SELECT app.id, (SELECT id FROM owner), now() + make_interval(secs => p_session_ttl) FROM app
    WHERE NOT p_of_user OR EXISTS (SELECT FROM owner) RETURNING id
  ), refresh AS (
    INSERT INTO refresh_tokens (hash, session_id, expires_at)
    SELECT p_refresh_hash, id, now() + make_interval(secs => p_refresh_ttl) FROM session)
  SELECT json_build_object('session', (SELECT id FROM session), 'app', (SELECT id FROM app), 'user', (SELECT id FROM owner))
$$;
