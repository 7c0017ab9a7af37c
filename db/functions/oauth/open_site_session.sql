-- Exchanges the site's code for a session that ends with the sign-in. Null if the code is unknown, used or expired, or the
-- verifier is another browser's. Any use spends the code, even another browser's, because it may have leaked.
CREATE OR REPLACE FUNCTION open_site_session(p_code_hash text, p_challenge text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  code authorization_codes;
  opened bigint;
BEGIN
  UPDATE authorization_codes c SET redeemed_at = clock_timestamp()
  FROM apps a
  WHERE c.hash = p_code_hash AND a.id = c.app_id AND a.client_id = 'site'
    AND c.redeemed_at IS NULL AND c.expires_at > clock_timestamp()
  RETURNING c.* INTO code;
  IF NOT FOUND OR code.code_challenge <> p_challenge THEN
    RETURN NULL;
  END IF;
  INSERT INTO sessions (app_id, user_id, site_session_hash, expires_at)
  SELECT code.app_id, s.user_id, s.hash, s.expires_at FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = code.site_session_hash AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
  FOR SHARE OF s
  RETURNING id INTO opened;
  IF opened IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE authorization_codes SET session_id = opened WHERE hash = code.hash;
  RETURN json_build_object('session', opened, 'user', code.user_id,
    'operator', EXISTS (SELECT FROM operators o WHERE o.user_id = code.user_id));
END $$;
