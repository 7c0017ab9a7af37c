-- Takes an attempt once, for the beginner's browser only. Another browser followed somebody else's link, so it learns whose
-- attempt it is. Repeating it after a lost reply returns the outcome. Null if unknown or expired.
CREATE OR REPLACE FUNCTION take_connection_attempt(p_state_hash text, p_site_session text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  attempt connection_attempts;
  beginner record;
  viewer record;
BEGIN
  SELECT * INTO attempt FROM connection_attempts WHERE state_hash = p_state_hash AND expires_at > now() FOR UPDATE;
  SELECT s.id AS session_id, a.client_id, a.name AS app, s.user_id, u.username INTO beginner
  FROM sessions s JOIN apps a ON a.id = s.app_id JOIN users u ON u.id = s.user_id
  WHERE s.id = attempt.session_id AND session_is_live(s.id, a.client_id, s.user_id);
  SELECT u.id, u.username INTO viewer FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL;
  IF beginner.session_id IS NULL THEN
    RETURN NULL;
  ELSIF viewer.id IS DISTINCT FROM beginner.user_id THEN
    IF attempt.taken_at IS NOT NULL THEN
      RETURN json_build_object('outcome', 'used');
    END IF;
    RETURN json_build_object('outcome', 'not_the_beginner', 'username', beginner.username, 'app', beginner.app,
      'service', attempt.service, 'redirect_uri', attempt.redirect_uri, 'signed_in_as', viewer.username);
  ELSIF attempt.taken_at IS NULL THEN
    UPDATE connection_attempts SET taken_at = now(), verifier_sealed = '', expires_at = now() + interval '10 minutes'
    WHERE state_hash = p_state_hash;
    RETURN json_build_object('outcome', 'taken', 'service', attempt.service, 'redirect_uri', attempt.redirect_uri,
      'verifier_sealed', encode(attempt.verifier_sealed, 'base64'), 'beginner', json_build_object(
        'session_id', beginner.session_id, 'client_id', beginner.client_id, 'user_id', beginner.user_id));
  -- A Worker that was silent for a minute has ended.
  ELSIF attempt.succeeded IS NULL AND attempt.taken_at > now() - interval '1 minute' THEN
    RETURN json_build_object('outcome', 'running');
  END IF;
  RETURN json_build_object('outcome', 'settled', 'redirect_uri', attempt.redirect_uri,
    'succeeded', coalesce(attempt.succeeded, false));
END $$;
