-- Makes a code that lets the site continue a sign-in. False if the sign-in has ended.
CREATE OR REPLACE FUNCTION offer_site_code(p_site_session text, p_code_hash text, p_challenge text, p_ttl integer)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- The lock makes whoever ends this sign-in see the code. The user first, like a suspension.
  PERFORM FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
  FOR KEY SHARE OF u FOR SHARE OF s;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO authorization_codes (hash, app_id, user_id, site_session_hash, nonce, redirect_uri, code_challenge, expires_at)
  SELECT p_code_hash, a.id, s.user_id, s.hash, p_code_hash, '', p_challenge, now() + make_interval(secs => p_ttl)
  FROM site_sessions s, apps a WHERE s.hash = p_site_session AND a.client_id = 'site'
  ON CONFLICT (hash) DO NOTHING;
  RETURN true;
END $$;
