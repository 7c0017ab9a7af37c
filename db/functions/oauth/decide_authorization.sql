-- Records the user's decision. Approval stores code, consent and, for the older implicit grant, a session. `p_nonce`
-- allows each form one code. `p_registrations` match `p_redirect_uri`, whose port is free on a loopback address.
CREATE OR REPLACE FUNCTION decide_authorization(
  p_client text, p_site_session text, p_registrations jsonb, p_approved boolean, p_nonce text, p_code_hash text,
  p_code_ttl integer, p_redirect_uri text, p_challenge text, p_scope text, p_token_ttl integer, p_wants_code boolean
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  app apps;
  visitor users;
  made authorization_codes;
  opened bigint;
BEGIN
  SELECT * INTO app FROM apps a
  WHERE a.client_id = p_client AND a.disabled_at IS NULL AND p_registrations ?| ARRAY(
    SELECT regexp_replace(r, '^(http://(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)', '\1') FROM unnest(a.redirect_uris) r)
  FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown_app');
  END IF;
  -- The lock makes whoever ends this session see the grants made here. The user first, like a suspension.
  SELECT u.* INTO visitor FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() FOR KEY SHARE OF u FOR SHARE OF s;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'signed_out');
  END IF;
  IF NOT p_approved OR visitor.disabled_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'denied');
  END IF;
  INSERT INTO authorization_codes
    (hash, app_id, user_id, site_session_hash, nonce, redirect_uri, code_challenge, scope, expires_at, redeemed_at)
  VALUES (p_code_hash, app.id, visitor.id, p_site_session, p_nonce, p_redirect_uri, p_challenge, p_scope,
    now() + make_interval(secs => p_code_ttl), CASE WHEN NOT p_wants_code THEN now() END)
  ON CONFLICT (nonce) DO NOTHING RETURNING * INTO made;
  IF NOT FOUND THEN
    -- A repeated statement is recognized by the code's hash, which only we know.
    SELECT * INTO made FROM authorization_codes c WHERE c.nonce = p_nonce AND c.hash = p_code_hash;
    IF NOT FOUND THEN
      RETURN json_build_object('outcome', 'replayed');
    END IF;
    RETURN json_build_object('outcome', 'approved', 'user', visitor.id, 'session', made.session_id);
  END IF;
  INSERT INTO consents (user_id, app_id, scope) VALUES (visitor.id, app.id, p_scope)
  ON CONFLICT (user_id, app_id) DO UPDATE SET granted_at = now(), scope = CASE
    -- Tokens of an earlier grant keep what it allowed, so both stay granted. '' and '*' mean everything.
    WHEN consents.scope IN ('', '*') THEN consents.scope
    WHEN excluded.scope IN ('', '*') THEN excluded.scope
    ELSE array_to_string(ARRAY(
      SELECT DISTINCT unnest(string_to_array(consents.scope, ' ') || string_to_array(excluded.scope, ' ')) ORDER BY 1), ' ')
  END;
  IF p_token_ttl IS NOT NULL THEN
    INSERT INTO sessions (app_id, user_id, scope, expires_at)
    VALUES (app.id, visitor.id, p_scope, now() + make_interval(secs => p_token_ttl)) RETURNING id INTO opened;
    UPDATE authorization_codes SET session_id = opened WHERE hash = made.hash;
  END IF;
  RETURN json_build_object('outcome', 'approved', 'user', visitor.id, 'session', opened);
END $$;
