-- Exchanges a refresh token, each once. A replay ends the session. Only the newest spent tokens are kept for recognition.
-- Repeating the same request by its key is no replay: its first reply was lost, and it gets what `p_reply` stored.
CREATE OR REPLACE FUNCTION refresh_session(
  p_client text, p_secret_hash text, p_address text, p_arrived_at timestamptz, p_refresh_hash text,
  p_refresh_ttl integer, p_old_hash text, p_scope text, p_key_hash bytea, p_fingerprint bytea, p_reply bytea, p_kept_s integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  -- The same races as those of `exchange_code`.
  winner_race CONSTANT interval := '40 milliseconds';
  winner_hold_ms CONSTANT integer := 50;
  loser_race CONSTANT interval := '240 milliseconds';
  loser_hold_ms CONSTANT integer := 250;
  arrived_at CONSTANT timestamptz :=
    least(greatest(p_arrived_at, statement_timestamp() - interval '10 seconds'), statement_timestamp());
  client record;
  token refresh_tokens;
  session record;
  granted text;
  first_reply bytea;
BEGIN
  client := authenticate_client(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  -- Locks the session before its token, like the statements that delete both.
  SELECT r.* INTO token FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
  WHERE r.hash = p_old_hash AND s.app_id = (client.app).id FOR KEY SHARE OF s FOR UPDATE OF r;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'unknown_token');
  END IF;
  SELECT s.*, u.disabled_at IS NOT NULL AS user_left INTO session
  FROM sessions s LEFT JOIN users u ON u.id = s.user_id WHERE s.id = token.session_id;
  granted := coalesce(nullif(p_scope, ''), session.scope);
  IF token.consumed_at IS NOT NULL THEN
    SELECT k.secret INTO first_reply FROM idempotency_keys k
    WHERE k.key_hash = p_key_hash AND k.fingerprint = p_fingerprint AND k.expires_at > now()
      AND session.revoked_at IS NULL AND NOT session.user_left AND session.expires_at > now();
    IF FOUND THEN
      RETURN json_build_object('outcome', 'issued', 'session', session.id, 'user', session.user_id, 'scope', granted,
        'hold_ms', winner_hold_ms, 'first_reply', encode(first_reply, 'base64'));
    ELSIF EXISTS (SELECT FROM refresh_tokens r WHERE r.hash = p_refresh_hash AND r.parent_hash = token.hash) THEN
      RETURN json_build_object('outcome', 'issued', 'session', session.id, 'user', session.user_id, 'scope', granted,
        'hold_ms', winner_hold_ms);
    ELSIF arrived_at > token.race_ends_at THEN
      UPDATE sessions SET revoked_at = now() WHERE id = session.id AND revoked_at IS NULL;
      RETURN json_build_object('outcome', 'invalid_grant', 'why', 'used_token', 'replay', true);
    END IF;
    UPDATE refresh_tokens SET race_ends_at = least(clock_timestamp() + loser_race, consumed_at + interval '10 seconds')
    WHERE hash = token.hash;
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'used_token', 'hold_ms', loser_hold_ms);
  END IF;
  IF session.revoked_at IS NOT NULL OR session.user_left THEN
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'ended_session');
  END IF;
  IF token.expires_at <= now() OR session.expires_at <= now() THEN
    RETURN json_build_object('outcome', 'invalid_grant', 'why', 'expired_token');
  END IF;
  -- RFC 6749 §6: narrower scopes apply to this access token alone.
  IF session.scope NOT IN ('', '*') AND NOT string_to_array(granted, ' ') <@ string_to_array(session.scope, ' ') THEN
    RETURN json_build_object('outcome', 'invalid_scope');
  END IF;
  UPDATE refresh_tokens SET consumed_at = clock_timestamp(), race_ends_at = clock_timestamp() + winner_race
  WHERE hash = token.hash;
  INSERT INTO refresh_tokens (hash, session_id, parent_hash, expires_at)
  VALUES (p_refresh_hash, session.id, token.hash, now() + make_interval(secs => p_refresh_ttl));
  IF p_key_hash IS NOT NULL THEN
    INSERT INTO idempotency_keys (key_hash, fingerprint, claim, secret, result, expires_at)
    VALUES (p_key_hash, p_fingerprint, gen_random_uuid(), p_reply, 'true', now() + make_interval(secs => p_kept_s))
    ON CONFLICT (key_hash) DO UPDATE SET fingerprint = excluded.fingerprint, claim = excluded.claim, secret = excluded.secret,
      result = excluded.result, made_id = NULL, expires_at = excluded.expires_at;
  END IF;
  DELETE FROM refresh_tokens WHERE hash IN (
    SELECT hash FROM refresh_tokens WHERE session_id = session.id AND consumed_at IS NOT NULL
    ORDER BY consumed_at DESC OFFSET 20);
  RETURN json_build_object('outcome', 'issued', 'session', session.id, 'user', session.user_id, 'scope', granted,
    'hold_ms', winner_hold_ms);
END $$;
