-- Issues tokens after the password matched `p_seen_hash`. Giving the app the password counts as consent to `p_scope`, which is
-- everything.
CREATE OR REPLACE FUNCTION password_grant(
  p_client text, p_user bigint, p_seen_hash text, p_attempt text, p_scope text, p_ttl integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  opened sessions;
BEGIN
  -- The lock makes a concurrent change of password end this session too.
  PERFORM FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE a.user_id = p_user AND a.password_hash = p_seen_hash AND u.disabled_at IS NULL FOR SHARE OF a;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  INSERT INTO sessions (app_id, user_id, scope, expires_at)
  SELECT app.id, p_user, p_scope, now() + make_interval(secs => p_ttl)
  FROM apps app WHERE app.client_id = p_client AND app.disabled_at IS NULL
  FOR KEY SHARE
  RETURNING * INTO opened;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  INSERT INTO consents (user_id, app_id, scope) VALUES (p_user, opened.app_id, p_scope)
  ON CONFLICT (user_id, app_id) DO UPDATE SET granted_at = now(), scope = excluded.scope
  WHERE consents.scope NOT IN ('', '*');
  RETURN json_build_object('outcome', 'issued', 'session', opened.id, 'user', p_user, 'scope', p_scope);
END $$;
