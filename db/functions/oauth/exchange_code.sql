-- Exchanges a code for tokens. RFC 6749 §4.1.3, RFC 7636 §4.6. `p_challenge` is the S256 of the verifier, or null.
CREATE OR REPLACE FUNCTION exchange_code(
  p_client text, p_secret_hash text, p_address text, p_arrived_at timestamptz, p_refresh_hash text,
  p_session_ttl integer, p_refresh_ttl integer, p_code_hash text, p_redirect_uri text, p_challenge text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  -- Uses of a code that arrive within `race` are no replays. Replies wait ten milliseconds longer, because clocks differ;
  -- replies to losers wait longer still, for uses that load has delayed.
  winner_race CONSTANT interval := '40 milliseconds';
  winner_hold_ms CONSTANT integer := 50;
  loser_race CONSTANT interval := '240 milliseconds';
  loser_hold_ms CONSTANT integer := 250;
  -- The arrival is trusted within the last ten seconds only, because a Worker's clock may be wrong.
  arrived_at CONSTANT timestamptz :=
    least(greatest(p_arrived_at, statement_timestamp() - interval '10 seconds'), statement_timestamp());
  client record;
  code authorization_codes;
  fits boolean;
  opened bigint;
BEGIN
  client := authenticate_client(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  -- Keeps the app from being deleted. Locked before any row of the app, or a deletion could deadlock.
  PERFORM FROM apps WHERE id = (client.app).id FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_client');
  END IF;
  -- The row lock orders parallel redemptions.
  SELECT * INTO code FROM authorization_codes c WHERE c.hash = p_code_hash AND c.app_id = (client.app).id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'unknown_code');
  END IF;
  IF code.code_challenge IS NULL AND p_challenge IS NOT NULL THEN
    RETURN json_build_object('outcome', 'unexpected_verifier');
  END IF;
  -- RFC 9700 §2.1.1: nothing else ties a public client to its code. No page gives it a code without a challenge.
  fits := code.redirect_uri = p_redirect_uri AND code.code_challenge IS NOT DISTINCT FROM p_challenge
    AND ((client.app).secret_hash IS NOT NULL OR p_challenge IS NOT NULL);
  IF code.redeemed_at IS NOT NULL THEN
    -- A repeated statement is recognized by the refresh token's hash, which only we know.
    IF fits AND EXISTS (SELECT FROM refresh_tokens r WHERE r.hash = p_refresh_hash AND r.session_id = code.session_id) THEN
      RETURN json_build_object('outcome', 'issued', 'session', code.session_id, 'user', code.user_id, 'scope', code.scope,
        'hold_ms', winner_hold_ms);
    END IF;
    -- Only a use that would have succeeded may end the session as a replay.
    IF NOT fits THEN
      RETURN json_build_object('outcome', 'invalid_grant', 'why', 'used_code');
    ELSIF arrived_at > code.race_ends_at THEN
      UPDATE sessions SET revoked_at = now() WHERE id = code.session_id AND revoked_at IS NULL;
      RETURN json_build_object('outcome', 'invalid_grant', 'why', 'used_code', 'replay', true);
    END IF;
    UPDATE authorization_codes SET race_ends_at = least(clock_timestamp() + loser_race, redeemed_at + interval '10 seconds')
    WHERE hash = code.hash;
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'used_code', 'hold_ms', loser_hold_ms);
  END IF;
  IF code.failures >= 5 THEN
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'void_code');
  END IF;
  -- A code that ended after this statement began has a later end than `now()`.
  IF code.expires_at <= clock_timestamp()
    OR EXISTS (SELECT FROM users u WHERE u.id = code.user_id AND u.disabled_at IS NOT NULL)
    OR NOT EXISTS (SELECT FROM site_sessions s WHERE s.hash = code.site_session_hash AND s.revoked_at IS NULL) THEN
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'expired_code');
  END IF;
  IF NOT fits THEN
    UPDATE authorization_codes SET failures = failures + 1 WHERE hash = code.hash;
    RETURN json_build_object('outcome', 'invalid_grant', 'why', CASE WHEN code.redirect_uri <> p_redirect_uri THEN 'redirect_uri'
      WHEN p_challenge IS NULL THEN 'no_verifier' ELSE 'verifier' END);
  END IF;
  opened := open_session((client.app).id, code.user_id, code.scope, p_refresh_hash, p_session_ttl, p_refresh_ttl);
  UPDATE authorization_codes
  SET redeemed_at = clock_timestamp(), race_ends_at = clock_timestamp() + winner_race, session_id = opened WHERE hash = code.hash;
  RETURN json_build_object('outcome', 'issued', 'session', opened, 'user', code.user_id, 'scope', code.scope,
    'hold_ms', winner_hold_ms);
END $$;
