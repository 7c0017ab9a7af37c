-- Some functions name tables of later migrations.
SET LOCAL check_function_bodies = off;

-- Who a browser is signed in as; null for nobody. What any page of the site asks first.
CREATE FUNCTION site_user_v1(p_hash text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT u.id, u.username, u.permalink, a.email, a.confirmed_at IS NOT NULL AS confirmed, u.plan
    FROM site_sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
    WHERE s.hash = p_hash AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL) r
$$;

CREATE INDEX site_sessions_user_id_idx ON site_sessions (user_id);
CREATE INDEX site_sessions_expires_at_idx ON site_sessions (expires_at);
CREATE INDEX authorization_codes_site_session_hash_idx ON authorization_codes (site_session_hash);
CREATE INDEX mail_tokens_expires_at_idx ON mail_tokens (expires_at);
CREATE INDEX users_disabled_at_idx ON users (disabled_at) WHERE disabled_at IS NOT NULL;

-- Seconds until a bucket takes its next attempt: from the sixth within an hour on one second after it, then twice as long
-- after each, five minutes at most. Nobody waits inside: whoever comes too early is refused, and counts for nothing.
CREATE FUNCTION delayed_for_v1(p_bucket text) RETURNS integer LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((
    SELECT greatest(0, ceil(extract(epoch FROM max(f.failed_at) - clock_timestamp()) + least(300, 2 ^ (count(*) - 6))))
    FROM failures f WHERE f.bucket = p_bucket AND f.failed_at > clock_timestamp() - interval '1 hour'
    HAVING count(*) >= 6), 0)::integer
$$;

-- Counts one attempt against several limits, or against none and tells the seconds to wait. The locks, taken in one order,
-- make it exact: an attempt stands before its outcome is known, and what succeeds is taken back by `taken`.
CREATE FUNCTION take_attempt_v1(
  p_buckets text[], p_limits integer[], p_windows interval[], p_delayed text DEFAULT NULL,
  OUT wait integer, OUT taken bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
  lock integer;
BEGIN
  FOR lock IN SELECT DISTINCT hashtext(b) FROM unnest(p_buckets) b ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(hashtext('attempt'), lock);
  END LOOP;
  SELECT greatest(max(limited_for_v1(b, l, w)), delayed_for_v1(p_delayed)) INTO wait
  FROM unnest(p_buckets, p_limits, p_windows) AS x (b, l, w);
  IF wait = 0 THEN
    WITH made AS (
      INSERT INTO failures (bucket, failed_at) SELECT b, clock_timestamp() FROM unnest(p_buckets) b RETURNING id)
    SELECT array_agg(id) INTO taken FROM made;
  END IF;
END $$;

-- For one account: five in 15 minutes from an address, twenty in an hour from anywhere, with a growing delay; for an address
-- a hundred in an hour.
CREATE FUNCTION take_password_attempt_v1(p_who text, p_address text, OUT wait integer, OUT taken bigint[])
LANGUAGE sql AS $$
  SELECT * FROM take_attempt_v1(
    ARRAY['password ' || p_who || ' ' || p_address, 'password ' || p_who, 'password from ' || p_address],
    ARRAY[5, 20, 100], ARRAY[interval '15 minutes', interval '1 hour', interval '1 hour'], 'password ' || p_who)
$$;

-- Before the password is hashed. By e-mail address, or by permalink where there is no @ in it. Whether the account exists
-- changes nothing that the caller shows.
CREATE FUNCTION begin_sign_in_v1(p_login text, p_address text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  account accounts;
  attempt record;
BEGIN
  IF position('@' IN p_login) > 0 THEN
    SELECT a.* INTO account FROM accounts a WHERE lower(a.email) = lower(p_login);
  ELSE
    SELECT a.* INTO account FROM users u JOIN accounts a ON a.user_id = u.id WHERE lower(u.permalink) = lower(p_login);
  END IF;
  SELECT * INTO attempt FROM take_password_attempt_v1(
    coalesce(account.user_id::text, encode(sha256(convert_to(lower(p_login), 'UTF8')), 'base64')), p_address);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  RETURN json_build_object('outcome', 'open', 'user', account.user_id, 'password_hash', account.password_hash,
    'attempt', attempt.taken::text);
END $$;

-- After the password fitted `p_seen_hash`. False where it was changed meanwhile, or the user is disabled.
CREATE FUNCTION sign_in_v1(
  p_user bigint, p_seen_hash text, p_new_hash text, p_attempt text, p_old_session text, p_session text, p_ttl integer
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE a.user_id = p_user AND a.password_hash = p_seen_hash AND u.disabled_at IS NULL FOR UPDATE OF a;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  IF p_new_hash IS NOT NULL THEN
    UPDATE accounts SET password_hash = p_new_hash WHERE user_id = p_user;
  END IF;
  UPDATE site_sessions SET revoked_at = now() WHERE hash = p_old_session AND revoked_at IS NULL;
  INSERT INTO site_sessions (hash, user_id, expires_at) VALUES (p_session, p_user, now() + make_interval(secs => p_ttl));
  RETURN true;
END $$;

-- Before the password is hashed: room for one more from this address, and names that are free.
CREATE FUNCTION begin_sign_up_v1(p_permalink text, p_email text, p_address text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  attempt record;
BEGIN
  SELECT * INTO attempt FROM take_attempt_v1(ARRAY['sign-up ' || p_address], ARRAY[20], ARRAY[interval '1 hour']);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  RETURN json_build_object('outcome', 'open',
    'username_taken', EXISTS (SELECT FROM users u WHERE lower(u.permalink) = lower(p_permalink)),
    'email_taken', EXISTS (SELECT FROM accounts a WHERE lower(a.email) = lower(p_email)));
END $$;

-- Profile, account, session and the link that confirms the address: all or nothing.
CREATE FUNCTION sign_up_v1(p_new jsonb, p_old_session text, p_session text, p_ttl integer, p_token text, p_token_ttl integer)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  made bigint;
  violated text;
BEGIN
  INSERT INTO users (username, permalink) VALUES (p_new->>'username', p_new->>'permalink') RETURNING id INTO made;
  INSERT INTO accounts (user_id, email, password_hash) VALUES (made, p_new->>'email', p_new->>'password_hash');
  UPDATE site_sessions SET revoked_at = now() WHERE hash = p_old_session AND revoked_at IS NULL;
  INSERT INTO site_sessions (hash, user_id, expires_at) VALUES (p_session, made, now() + make_interval(secs => p_ttl));
  INSERT INTO mail_tokens (hash, user_id, purpose, email, expires_at)
  VALUES (p_token, made, 'confirm', p_new->>'email', now() + make_interval(secs => p_token_ttl));
  RETURN json_build_object('outcome', 'made');
EXCEPTION WHEN unique_violation THEN
  GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
  RETURN json_build_object('outcome', 'taken', 'username_taken', violated = 'users_permalink_key',
    'email_taken', violated = 'accounts_email_key');
END $$;

-- The link of a mail: makes its address the account's. Followed again it changes nothing and says the same.
CREATE FUNCTION confirm_email_v1(p_token text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  token mail_tokens;
  account accounts;
BEGIN
  SELECT * INTO token FROM mail_tokens t WHERE t.hash = p_token AND t.purpose = 'confirm' AND t.expires_at > now();
  SELECT a.* INTO account FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE a.user_id = token.user_id AND u.disabled_at IS NULL FOR UPDATE OF a;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid');
  END IF;
  SELECT * INTO token FROM mail_tokens t WHERE t.hash = p_token;
  IF token.used_at IS NOT NULL THEN
    RETURN json_build_object('outcome', CASE
      WHEN account.email = token.email AND account.confirmed_at IS NOT NULL THEN 'confirmed' ELSE 'invalid' END);
  END IF;
  UPDATE accounts SET email = token.email, confirmed_at = now() WHERE user_id = token.user_id;
  -- Those for other addresses too: an older link must not bring an older address back.
  UPDATE mail_tokens SET used_at = now() WHERE user_id = token.user_id AND purpose = 'confirm' AND used_at IS NULL;
  RETURN json_build_object('outcome', 'confirmed',
    'replaced', CASE WHEN account.email <> token.email THEN account.email END);
EXCEPTION WHEN unique_violation THEN
  RETURN json_build_object('outcome', 'invalid');
END $$;

-- A link to one of the user's addresses; five in an hour.
CREATE FUNCTION make_mail_token_v1(p_user bigint, p_purpose text, p_email text, p_token text, p_ttl integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  attempt record;
BEGIN
  SELECT * INTO attempt FROM take_attempt_v1(ARRAY['mail ' || p_user], ARRAY[5], ARRAY[interval '1 hour']);
  IF attempt.wait = 0 THEN
    INSERT INTO mail_tokens (hash, user_id, purpose, email, expires_at)
    VALUES (p_token, p_user, p_purpose, p_email, now() + make_interval(secs => p_ttl));
  END IF;
  RETURN attempt.wait;
END $$;

CREATE FUNCTION resend_confirmation_v1(p_session text, p_token text, p_ttl integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  who json := site_user_v1(p_session);
  wait integer;
BEGIN
  IF who IS NULL THEN
    RETURN json_build_object('outcome', 'signed_out');
  ELSIF (who->>'confirmed')::boolean THEN
    RETURN json_build_object('outcome', 'confirmed');
  END IF;
  wait := make_mail_token_v1((who->>'id')::bigint, 'confirm', who->>'email', p_token, p_ttl);
  IF wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', wait);
  END IF;
  RETURN json_build_object('outcome', 'sent', 'email', who->>'email');
END $$;

-- `email` is where the link goes; null where nobody has the address, or had five mails in this hour already.
CREATE FUNCTION forget_password_v1(p_email text, p_address text, p_token text, p_ttl integer) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  account accounts;
  attempt record;
BEGIN
  SELECT * INTO attempt FROM take_attempt_v1(ARRAY['forgot ' || p_address], ARRAY[10], ARRAY[interval '1 hour']);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  SELECT a.* INTO account FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE lower(a.email) = lower(p_email) AND u.disabled_at IS NULL;
  RETURN json_build_object('outcome', 'asked', 'email', CASE
    WHEN account.user_id IS NOT NULL AND make_mail_token_v1(account.user_id, 'reset', account.email, p_token, p_ttl) = 0
    THEN account.email END);
END $$;

-- Whose password a link resets; null where it is used, expired or never was.
CREATE FUNCTION find_reset_v1(p_token text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT t.user_id FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id JOIN users u ON u.id = t.user_id
  WHERE t.hash = p_token AND t.purpose = 'reset' AND t.used_at IS NULL AND t.expires_at > now()
    AND t.email = a.email AND u.disabled_at IS NULL
$$;

-- Ends what apps may do in a user's name; `p_app` null is every app. Codes first: one that is being redeemed holds its row,
-- and the session that it opens is there to be ended by the second statement.
CREATE FUNCTION end_grants_v1(p_user bigint, p_app bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE authorization_codes SET expires_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND redeemed_at IS NULL AND expires_at > now();
  UPDATE sessions SET revoked_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND revoked_at IS NULL;
$$;

-- Ends all that a password once opened: sessions of the site but one, and of every app.
CREATE FUNCTION set_password_v1(p_user bigint, p_hash text, p_keep_session text) RETURNS void LANGUAGE sql AS $$
  UPDATE accounts SET password_hash = p_hash WHERE user_id = p_user;
  UPDATE site_sessions SET revoked_at = now()
  WHERE user_id = p_user AND revoked_at IS NULL AND hash IS DISTINCT FROM p_keep_session;
  SELECT end_grants_v1(p_user, NULL);
  UPDATE mail_tokens SET used_at = now() WHERE user_id = p_user AND purpose = 'reset' AND used_at IS NULL;
  DELETE FROM failures WHERE bucket = 'password ' || p_user OR starts_with(bucket, 'password ' || p_user || ' ');
$$;

-- Who opens the link has the mailbox, so the address is confirmed by it. False where the link is worth nothing any more.
CREATE FUNCTION reset_password_v1(p_token text, p_hash text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner bigint;
BEGIN
  -- The account's lock, as every change takes it first: of two uses of one link, the second finds it used.
  PERFORM FROM accounts WHERE user_id = (SELECT user_id FROM mail_tokens WHERE hash = p_token) FOR UPDATE;
  owner := find_reset_v1(p_token);
  IF owner IS NULL THEN
    RETURN false;
  END IF;
  UPDATE accounts SET confirmed_at = coalesce(confirmed_at, now()) WHERE user_id = owner;
  PERFORM set_password_v1(owner, p_hash, NULL);
  RETURN true;
END $$;

-- Apps that the user let in: by a consent, or by a session that still lives. Our own pages' apps are none.
CREATE FUNCTION connected_apps_v1(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.since DESC), '[]') FROM (
    SELECT a.id, a.name, a.external_url, o.username AS owner, least(c.granted_at, min(s.created_at)) AS since,
      max(s.last_used_at) AS last_used_at, count(s.id) AS sessions
    FROM (SELECT app_id FROM consents WHERE user_id = p_user UNION
        SELECT app_id FROM sessions WHERE user_id = p_user AND revoked_at IS NULL AND expires_at > now()) let_in
      JOIN apps a ON a.id = let_in.app_id JOIN users o ON o.id = a.owner_id
      LEFT JOIN consents c ON c.app_id = a.id AND c.user_id = p_user
      LEFT JOIN sessions s ON s.app_id = a.id AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now()
    WHERE NOT a.first_party GROUP BY a.id, o.username, c.granted_at) r
$$;

-- All that the settings page shows; null for nobody.
CREATE FUNCTION site_settings_v1(p_session text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user', w.who, 'apps', connected_apps_v1(u.id), 'avatar_version', u.avatar_version,
    'profile', json_build_object('username', u.username, 'full_name', u.full_name, 'city', u.city, 'country', u.country,
      'description', u.description, 'website', u.website, 'website_title', u.website_title,
      'discogs_name', u.discogs_name, 'myspace_name', u.myspace_name),
    'pending_email', (SELECT t.email FROM mail_tokens t, accounts a
      WHERE t.user_id = u.id AND a.user_id = u.id AND t.purpose = 'confirm' AND t.used_at IS NULL
        AND t.expires_at > now() AND t.email <> a.email ORDER BY t.expires_at DESC LIMIT 1))
  FROM (SELECT site_user_v1(p_session) AS who) w JOIN users u ON u.id = (w.who->>'id')::bigint
$$;

-- False for nobody.
CREATE FUNCTION update_profile_v1(p_session text, p_profile jsonb) RETURNS boolean LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE users SET username = p_profile->>'username', full_name = p_profile->>'full_name', city = p_profile->>'city',
      country = p_profile->>'country', description = p_profile->>'description', website = p_profile->>'website',
      website_title = p_profile->>'website_title', discogs_name = p_profile->>'discogs_name',
      myspace_name = p_profile->>'myspace_name', updated_at = now()
    WHERE id = (site_user_v1(p_session)->>'id')::bigint RETURNING id)
  SELECT EXISTS (SELECT FROM changed)
$$;

-- Before the password that a change asks for is hashed: under the same limits as signing in.
CREATE FUNCTION begin_change_v1(p_session text, p_address text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  shown json := site_settings_v1(p_session);
  attempt record;
BEGIN
  IF shown IS NULL THEN
    RETURN json_build_object('outcome', 'signed_out');
  END IF;
  SELECT * INTO attempt FROM take_password_attempt_v1(shown->'user'->>'id', p_address);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  RETURN json_build_object('outcome', 'open', 'settings', shown, 'attempt', attempt.taken::text, 'password_hash',
    (SELECT a.password_hash FROM accounts a WHERE a.user_id = (shown->'user'->>'id')::bigint));
END $$;

-- Whose change it is, after the password fitted `p_seen_hash`. Null where the session ended or the password changed
-- meanwhile. The lock orders parallel changes.
CREATE FUNCTION confirmed_changer_v1(p_session text, p_seen_hash text, p_attempt text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  changer bigint;
BEGIN
  SELECT a.user_id INTO changer FROM accounts a
  WHERE a.user_id = (site_user_v1(p_session)->>'id')::bigint AND a.password_hash = p_seen_hash FOR UPDATE;
  IF FOUND THEN
    DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  END IF;
  RETURN changer;
END $$;

-- The new address counts once its link is followed. One that is another's gets no link, and the page says the same.
CREATE FUNCTION change_email_v1(p_session text, p_seen_hash text, p_attempt text, p_email text, p_token text, p_ttl integer)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  changer bigint := confirmed_changer_v1(p_session, p_seen_hash, p_attempt);
  wait integer;
BEGIN
  IF changer IS NULL THEN
    RETURN json_build_object('outcome', 'signed_out');
  END IF;
  UPDATE mail_tokens t SET used_at = now() FROM accounts a
  WHERE t.user_id = changer AND a.user_id = changer AND t.purpose = 'confirm' AND t.used_at IS NULL AND t.email <> a.email;
  wait := make_mail_token_v1(changer, 'confirm', p_email, p_token, p_ttl);
  IF wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', wait);
  END IF;
  RETURN json_build_object('outcome', 'sent', 'email', CASE
    WHEN NOT EXISTS (SELECT FROM accounts a WHERE lower(a.email) = lower(p_email) AND a.user_id <> changer) THEN p_email END);
END $$;

CREATE FUNCTION change_password_v1(p_session text, p_seen_hash text, p_attempt text, p_hash text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  changer bigint := confirmed_changer_v1(p_session, p_seen_hash, p_attempt);
BEGIN
  IF changer IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_password_v1(changer, p_hash, p_session);
  RETURN true;
END $$;

-- Takes back all that the user let the app do. False for nobody.
CREATE FUNCTION revoke_app_v1(p_session text, p_app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner bigint := (site_user_v1(p_session)->>'id')::bigint;
BEGIN
  IF p_app IS NULL THEN
    RETURN false;
  END IF;
  PERFORM end_grants_v1(owner, p_app);
  DELETE FROM consents WHERE user_id = owner AND app_id = p_app;
  RETURN owner IS NOT NULL;
END $$;

-- Everything about the user that is theirs to take away, without secrets and their hashes; null for nobody.
CREATE FUNCTION export_account_v1(p_session text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('account', json_build_object('email', a.email, 'confirmed_at', a.confirmed_at,
      'created_at', a.created_at),
    'profile', json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'plan', u.plan,
      'full_name', u.full_name, 'city', u.city, 'country', u.country, 'description', u.description,
      'website', u.website, 'website_title', u.website_title, 'discogs_name', u.discogs_name,
      'myspace_name', u.myspace_name, 'avatar_version', u.avatar_version, 'updated_at', u.updated_at),
    'tracks', (SELECT coalesce(json_agg(to_jsonb(t) - ARRAY['secret_hash', 'secret_sealed', 'original_key', 'media_prefix',
      'media', 'published_id'] ORDER BY t.id), '[]') FROM tracks t WHERE t.user_id = u.id),
    'comments', (SELECT coalesce(json_agg(to_jsonb(c) - ARRAY['user_id', 'sanitizer_version'] ORDER BY c.id), '[]')
      FROM comments c WHERE c.user_id = u.id),
    'apps', (SELECT coalesce(json_agg(to_jsonb(p) - ARRAY['secret_hash', 'previous_secret_hash'] ORDER BY p.id), '[]')
      FROM apps p WHERE p.owner_id = u.id),
    'connected_apps', connected_apps_v1(u.id),
    'api_sessions', (SELECT coalesce(json_agg(json_build_object('app', p.name, 'scope', s.scope, 'created_at', s.created_at,
        'last_used_at', s.last_used_at, 'expires_at', s.expires_at, 'revoked_at', s.revoked_at) ORDER BY s.id), '[]')
      FROM sessions s JOIN apps p ON p.id = s.app_id WHERE s.user_id = u.id),
    'site_sessions', (SELECT coalesce(json_agg(json_build_object('created_at', s.created_at, 'expires_at', s.expires_at,
        'revoked_at', s.revoked_at) ORDER BY s.created_at), '[]') FROM site_sessions s WHERE s.user_id = u.id))
  FROM accounts a JOIN users u ON u.id = a.user_id WHERE a.user_id = (site_user_v1(p_session)->>'id')::bigint
$$;

-- At once: nobody can sign in, no token works, nothing is to be seen. The rest is `erase_users_v1`'s, which knows the user
-- by the account that is gone; a user whom operators disabled keeps theirs.
CREATE FUNCTION delete_account_v1(p_session text, p_seen_hash text, p_attempt text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  leaver bigint := confirmed_changer_v1(p_session, p_seen_hash, p_attempt);
BEGIN
  IF leaver IS NULL THEN
    RETURN false;
  END IF;
  UPDATE users SET disabled_at = now() WHERE id = leaver;
  UPDATE site_sessions SET revoked_at = now() WHERE user_id = leaver AND revoked_at IS NULL;
  PERFORM end_grants_v1(leaver, NULL);
  UPDATE apps SET disabled_at = coalesce(disabled_at, now()) WHERE owner_id = leaver;
  UPDATE tracks SET sharing = 'private', secret_hash = sha256(gen_random_uuid()::text::bytea) WHERE user_id = leaver;
  -- Their parts in storage go the way of every upload that ran out.
  UPDATE uploads SET expires_at = now() WHERE user_id = leaver AND status IN ('open', 'completing', 'ready');
  DELETE FROM mail_tokens WHERE user_id = leaver;
  DELETE FROM accounts WHERE user_id = leaver;
  RETURN true;
END $$;

-- Some of what users who left have, and those who have nothing any more. Objects are listed as garbage by the statement
-- that drops their rows. Repeating goes on where it stopped.
CREATE FUNCTION erase_users_v1(p_tracks integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  tracks_erased integer;
  users_erased integer;
BEGIN
  WITH doomed AS (
    SELECT t.id FROM users u JOIN tracks t ON t.user_id = u.id
    WHERE u.disabled_at IS NOT NULL AND NOT EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id)
    LIMIT p_tracks FOR UPDATE OF t SKIP LOCKED
  ), erased AS (
    DELETE FROM tracks t USING doomed WHERE t.id = doomed.id RETURNING t.original_key, t.media_prefix
  ), garbage AS (
    INSERT INTO object_garbage (prefix, bucket, due_at)
    SELECT original_key, 'uploads', now() FROM erased UNION
    SELECT media_prefix, 'media', now() FROM erased WHERE media_prefix IS NOT NULL
    ON CONFLICT (prefix) DO UPDATE SET due_at = now())
  SELECT count(*) INTO tracks_erased FROM erased;
  WITH erased AS (
    DELETE FROM users u
    WHERE u.disabled_at IS NOT NULL AND NOT EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id)
      AND NOT EXISTS (SELECT FROM tracks t WHERE t.user_id = u.id)
      AND NOT EXISTS (SELECT FROM uploads p WHERE p.user_id = u.id AND p.status IN ('open', 'completing', 'ready'))
    RETURNING 1)
  SELECT count(*) INTO users_erased FROM erased;
  RETURN json_build_object('tracks', tracks_erased, 'users', users_erased);
END $$;

-- What limits, links and sessions have left behind once it decides nothing any more.
CREATE FUNCTION forget_expired_v1() RETURNS void LANGUAGE sql AS $$
  DELETE FROM failures WHERE failed_at < now() - interval '1 day';
  DELETE FROM mail_tokens WHERE expires_at < now() - interval '1 day';
  DELETE FROM site_sessions WHERE expires_at < now() - interval '1 day';
  DELETE FROM client_credentials_grants WHERE granted_at < now() - interval '1 day';
  -- A code must outlive the form that made it, and a month of replays.
  DELETE FROM authorization_codes WHERE expires_at < now() - interval '30 days';
  -- Their refresh tokens go with them. Some at a time: they may be many.
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE expires_at < now() - interval '1 day'
    UNION ALL SELECT id FROM sessions WHERE revoked_at < now() - interval '30 days' LIMIT 1000);
$$;
