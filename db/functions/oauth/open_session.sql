-- Creates a session with its first refresh token.
CREATE OR REPLACE FUNCTION open_session(
  p_app bigint, p_user bigint, p_scope text, p_refresh_hash text, p_session_ttl integer, p_refresh_ttl integer
) RETURNS bigint LANGUAGE sql AS $$
  WITH made AS (
    INSERT INTO sessions (app_id, user_id, scope, expires_at)
    VALUES (p_app, p_user, p_scope, now() + make_interval(secs => p_session_ttl)) RETURNING id
  ), refresh AS (
    INSERT INTO refresh_tokens (hash, session_id, expires_at)
    SELECT p_refresh_hash, id, now() + make_interval(secs => p_refresh_ttl) FROM made)
  SELECT id FROM made
$$;
