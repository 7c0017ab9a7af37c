-- The token endpoint: each grant is one call, so that nothing is ever half done. A refusal is an outcome, not an error:
-- what was counted on the way stays counted.

-- Seconds until a bucket of the sliding log has room again; 0 where it has.
CREATE FUNCTION limited_for_v1(p_bucket text, p_limit integer, p_window interval) RETURNS integer
LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((
    SELECT ceil(extract(epoch FROM f.failed_at + p_window - clock_timestamp()))::integer
    FROM failures f WHERE f.bucket = p_bucket AND f.failed_at > clock_timestamp() - p_window
    ORDER BY f.failed_at DESC OFFSET p_limit - 1 LIMIT 1), 0)
$$;

-- Who the client is, or why not. Ten failures a minute for a client from one address, sixty for an address; never for a
-- client alone, which would let anybody lock it out.
CREATE FUNCTION authenticate_client_v1(
  p_client text, p_secret_hash text, p_address text, OUT app apps, OUT refusal json
) LANGUAGE plpgsql AS $$
DECLARE
  pair text := 'client ' || left(p_client, 100) || ' ' || p_address;
  everyone text := 'clients ' || p_address;
  wait integer := greatest(limited_for_v1(pair, 10, '1 minute'), limited_for_v1(everyone, 60, '1 minute'));
BEGIN
  IF wait > 0 THEN
    refusal := json_build_object('outcome', 'limited', 'retry_after', wait);
    RETURN;
  END IF;
  SELECT * INTO app FROM apps a
  WHERE a.client_id = p_client AND a.disabled_at IS NULL AND (a.secret_hash = p_secret_hash
    OR (a.previous_secret_hash = p_secret_hash AND a.previous_secret_expires_at > now()));
  IF NOT FOUND THEN
    INSERT INTO failures (bucket) VALUES (pair), (everyone);
    refusal := json_build_object('outcome', 'invalid_client');
  END IF;
END $$;

-- A session with its first refresh token.
CREATE FUNCTION open_session_v1(
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

-- Uses of one secret that come together are a race, which one of them wins and which ends nothing; what comes after is a
-- replay. A use is of the race if it arrived before the race ended. To whoever waits for a reply it has ended by then, so
-- the caller holds every reply for `hold_ms`: ten longer than the race lasts, for clocks that differ. The winner's is short;
-- the others, once there are others, wait for those that load held up. The arrival is the Worker's clock, so it is believed
-- within ten seconds only.
CREATE FUNCTION race_ends_v1(p_hold_ms integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT clock_timestamp() + make_interval(secs => (p_hold_ms - 10) / 1000.0)
$$;

CREATE FUNCTION is_replay_v1(p_race_ends_at timestamptz, p_arrived_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT greatest(p_arrived_at, statement_timestamp() - interval '10 seconds') > p_race_ends_at
$$;

-- RFC 6749 §4.1.3, RFC 7636 §4.6. `p_challenge` is the S256 of the verifier that was sent, or null.
CREATE FUNCTION exchange_code_v1(
  p_client text, p_secret_hash text, p_address text, p_arrived_at timestamptz, p_refresh_hash text,
  p_session_ttl integer, p_refresh_ttl integer, p_code_hash text, p_redirect_uri text, p_challenge text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  client record;
  code authorization_codes;
  fits boolean;
  opened bigint;
BEGIN
  SELECT * INTO client FROM authenticate_client_v1(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  -- The row lock orders parallel redemptions.
  SELECT * INTO code FROM authorization_codes c WHERE c.hash = p_code_hash AND c.app_id = (client.app).id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  IF code.code_challenge IS NULL AND p_challenge IS NOT NULL THEN
    RETURN json_build_object('outcome', 'unexpected_verifier');
  END IF;
  fits := code.redirect_uri = p_redirect_uri AND code.code_challenge IS NOT DISTINCT FROM p_challenge;
  IF code.redeemed_at IS NOT NULL THEN
    -- Our own statement sent again after its reply was lost: the refresh token's hash is only ours.
    IF fits AND EXISTS (SELECT FROM refresh_tokens r WHERE r.hash = p_refresh_hash AND r.session_id = code.session_id) THEN
      RETURN json_build_object('outcome', 'issued', 'session', code.session_id, 'user', code.user_id, 'scope', code.scope,
        'hold_ms', 50);
    END IF;
    -- Only who could have redeemed it may end what it opened.
    IF NOT fits THEN
      RETURN json_build_object('outcome', 'invalid_grant');
    ELSIF is_replay_v1(code.race_ends_at, p_arrived_at) THEN
      UPDATE sessions SET revoked_at = now() WHERE id = code.session_id AND revoked_at IS NULL;
      RETURN json_build_object('outcome', 'invalid_grant', 'replay', true);
    END IF;
    UPDATE authorization_codes SET race_ends_at = least(race_ends_v1(250), redeemed_at + interval '10 seconds')
    WHERE hash = code.hash;
    RETURN json_build_object('outcome', 'invalid_grant', 'hold_ms', 250);
  END IF;
  IF code.expires_at <= now() OR code.failures >= 5
    OR EXISTS (SELECT FROM users u WHERE u.id = code.user_id AND u.disabled_at IS NOT NULL)
    OR NOT EXISTS (SELECT FROM site_sessions s WHERE s.hash = code.site_session_hash AND s.revoked_at IS NULL) THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  IF NOT fits THEN
    UPDATE authorization_codes SET failures = failures + 1 WHERE hash = code.hash;
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  opened := open_session_v1((client.app).id, code.user_id, code.scope, p_refresh_hash, p_session_ttl, p_refresh_ttl);
  UPDATE authorization_codes SET redeemed_at = clock_timestamp(), race_ends_at = race_ends_v1(50), session_id = opened
  WHERE hash = code.hash;
  RETURN json_build_object('outcome', 'issued', 'session', opened, 'user', code.user_id, 'scope', code.scope,
    'hold_ms', 50);
END $$;

-- Rotation: each token once. A replay ends the whole family. Of spent tokens the newest few are kept to know one by.
CREATE FUNCTION refresh_session_v1(
  p_client text, p_secret_hash text, p_address text, p_arrived_at timestamptz, p_refresh_hash text,
  p_refresh_ttl integer, p_old_hash text, p_scope text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  client record;
  token refresh_tokens;
  session sessions;
  granted text;
BEGIN
  SELECT * INTO client FROM authenticate_client_v1(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  SELECT r.* INTO token FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
  WHERE r.hash = p_old_hash AND s.app_id = (client.app).id FOR UPDATE OF r;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  SELECT * INTO session FROM sessions WHERE id = token.session_id;
  granted := coalesce(nullif(p_scope, ''), session.scope);
  IF token.consumed_at IS NOT NULL THEN
    IF EXISTS (SELECT FROM refresh_tokens r WHERE r.hash = p_refresh_hash AND r.parent_hash = token.hash) THEN
      RETURN json_build_object('outcome', 'issued', 'session', session.id, 'user', session.user_id, 'scope', granted,
        'hold_ms', 50);
    ELSIF is_replay_v1(token.race_ends_at, p_arrived_at) THEN
      UPDATE sessions SET revoked_at = now() WHERE id = session.id AND revoked_at IS NULL;
      RETURN json_build_object('outcome', 'invalid_grant', 'replay', true);
    END IF;
    UPDATE refresh_tokens SET race_ends_at = least(race_ends_v1(250), consumed_at + interval '10 seconds')
    WHERE hash = token.hash;
    RETURN json_build_object('outcome', 'invalid_grant', 'hold_ms', 250);
  END IF;
  IF token.expires_at <= now() OR session.expires_at <= now() OR session.revoked_at IS NOT NULL
    OR EXISTS (SELECT FROM users u WHERE u.id = session.user_id AND u.disabled_at IS NOT NULL) THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  -- RFC 6749 §6: fewer of the session's scopes are given to this access token alone.
  IF NOT string_to_array(granted, ' ') <@ string_to_array(session.scope, ' ') THEN
    RETURN json_build_object('outcome', 'invalid_scope');
  END IF;
  UPDATE refresh_tokens SET consumed_at = clock_timestamp(), race_ends_at = race_ends_v1(50) WHERE hash = token.hash;
  INSERT INTO refresh_tokens (hash, session_id, parent_hash, expires_at)
  VALUES (p_refresh_hash, session.id, token.hash, now() + make_interval(secs => p_refresh_ttl));
  DELETE FROM refresh_tokens WHERE session_id = session.id AND consumed_at IS NOT NULL AND hash NOT IN (
    SELECT hash FROM refresh_tokens WHERE session_id = session.id AND consumed_at IS NOT NULL
    ORDER BY consumed_at DESC LIMIT 20);
  RETURN json_build_object('outcome', 'issued', 'session', session.id, 'user', session.user_id, 'scope', granted,
    'hold_ms', 50);
END $$;

-- Fifty tokens in twelve hours for an app, thirty in one hour for an address, exact under concurrency: the locks are
-- taken in one order, app before address.
CREATE FUNCTION client_credentials_v1(
  p_client text, p_secret_hash text, p_address text, p_refresh_hash text, p_session_ttl integer, p_refresh_ttl integer,
  p_scope text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  client record;
  opened bigint;
  full_bucket text;
  free_at timestamptz;
BEGIN
  SELECT * INTO client FROM authenticate_client_v1(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('client_credentials app'), hashint8((client.app).id));
  PERFORM pg_advisory_xact_lock(hashtext('client_credentials address'), hashtext(p_address));
  SELECT 'by-app', g.granted_at + interval '12 hours' INTO full_bucket, free_at FROM client_credentials_grants g
  WHERE g.app_id = (client.app).id AND g.granted_at > clock_timestamp() - interval '12 hours'
  ORDER BY g.granted_at DESC OFFSET 49 LIMIT 1;
  IF NOT FOUND THEN
    SELECT 'by-ip', g.granted_at + interval '1 hour' INTO full_bucket, free_at FROM client_credentials_grants g
    WHERE g.address = p_address AND g.granted_at > clock_timestamp() - interval '1 hour'
    ORDER BY g.granted_at DESC OFFSET 29 LIMIT 1;
  END IF;
  IF full_bucket IS NOT NULL THEN
    RETURN json_build_object('outcome', 'too_many_tokens', 'bucket', full_bucket, 'reset_at', free_at,
      'retry_after', greatest(1, ceil(extract(epoch FROM free_at - clock_timestamp()))::integer));
  END IF;
  opened := open_session_v1((client.app).id, NULL, p_scope, p_refresh_hash, p_session_ttl, p_refresh_ttl);
  INSERT INTO client_credentials_grants (app_id, address, granted_at)
  VALUES ((client.app).id, p_address, clock_timestamp());
  RETURN json_build_object('outcome', 'issued', 'session', opened, 'user', NULL, 'scope', p_scope);
END $$;

-- True where this call ended the session; false where it had ended before.
CREATE FUNCTION end_session_v1(p_session bigint, p_client text, p_user bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN false;
  END IF;
  UPDATE sessions SET revoked_at = now() WHERE id = p_session AND revoked_at IS NULL;
  RETURN FOUND;
END $$;

-- RFC 7009: a refresh token, or the session of an access token, of this client alone. What is unknown is no error.
CREATE FUNCTION revoke_token_v1(
  p_client text, p_secret_hash text, p_address text, p_refresh_hash text, p_session bigint
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  SELECT * INTO client FROM authenticate_client_v1(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  UPDATE sessions s SET revoked_at = now()
  WHERE s.app_id = (client.app).id AND s.revoked_at IS NULL
    AND (s.id = p_session OR s.id = (SELECT r.session_id FROM refresh_tokens r WHERE r.hash = p_refresh_hash));
  RETURN json_build_object('outcome', 'revoked');
END $$;

-- RFC 7662: `live` for a token of this client whose session stands, and that was not used up.
CREATE FUNCTION introspect_token_v1(
  p_client text, p_secret_hash text, p_address text, p_refresh_hash text, p_session bigint
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  SELECT * INTO client FROM authenticate_client_v1(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  RETURN json_build_object('outcome', 'introspected', 'live', (
    SELECT to_json(r) FROM (
      SELECT s.id AS session, s.user_id AS user, u.username, s.scope,
        extract(epoch FROM t.created_at)::bigint AS issued_at, extract(epoch FROM t.expires_at)::bigint AS expires_at
      FROM sessions s LEFT JOIN users u ON u.id = s.user_id LEFT JOIN refresh_tokens t ON t.hash = p_refresh_hash
      WHERE s.id = coalesce(p_session, t.session_id) AND t.consumed_at IS NULL AND coalesce(t.expires_at > now(), true)
        AND session_is_live_v1(s.id, p_client, s.user_id)) r));
END $$;
