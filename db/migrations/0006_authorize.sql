-- The consent page, what follows from it, the older grants, and the registration of apps.

-- As before, and: session 0 with no user is an app that named itself by its client id alone (older behaviour). It has no
-- token and acts for nobody, so it lives as long as the app does.
CREATE OR REPLACE FUNCTION session_is_live_v1(p_session bigint, p_client text, p_user bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_session = 0 THEN
    p_user IS NULL AND EXISTS (SELECT FROM apps a WHERE a.client_id = p_client AND a.disabled_at IS NULL)
  ELSE EXISTS (
    SELECT FROM sessions s JOIN apps a ON a.id = s.app_id
    WHERE s.id = p_session AND a.client_id = p_client AND s.user_id IS NOT DISTINCT FROM p_user
      AND s.revoked_at IS NULL AND s.expires_at > now() AND a.disabled_at IS NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = s.user_id AND u.disabled_at IS NOT NULL))
  END
$$;

-- All that the consent page shows: who asks, who is signed in, and what they allowed before.
CREATE FUNCTION authorization_page_v1(p_client text, p_site_session text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'app', (SELECT to_json(r) FROM (
      SELECT a.id, a.name, a.permalink, a.external_url, a.redirect_uris, a.first_party,
        o.username AS creator, o.permalink AS creator_permalink
      FROM apps a JOIN users o ON o.id = a.owner_id WHERE a.client_id = p_client AND a.disabled_at IS NULL) r),
    'user', (SELECT to_json(r) FROM (
      SELECT u.id, u.username, u.disabled_at IS NOT NULL AS disabled,
        (SELECT c.scope FROM consents c JOIN apps a ON a.id = c.app_id
          WHERE c.user_id = u.id AND a.client_id = p_client) AS consented_scope
      FROM site_sessions s JOIN users u ON u.id = s.user_id
      WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now()) r))
$$;

-- What the user decided. Approved: the code, the consent and, for the older implicit grant, a session, at once. A form
-- makes one code: `p_nonce` is its own. `p_registrations` are the registered URIs that would allow `p_redirect_uri`.
CREATE FUNCTION decide_authorization_v1(
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
  WHERE a.client_id = p_client AND a.disabled_at IS NULL AND p_registrations ?| a.redirect_uris;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown_app');
  END IF;
  -- Locked, so that whoever ends the session meanwhile, and its grants after it, sees what is made here.
  SELECT u.* INTO visitor FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() FOR SHARE OF s;
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
    -- The same statement sent again after its reply was lost: the code's hash is only ours.
    SELECT * INTO made FROM authorization_codes c WHERE c.nonce = p_nonce AND c.hash = p_code_hash;
    IF NOT FOUND THEN
      RETURN json_build_object('outcome', 'replayed');
    END IF;
    RETURN json_build_object('outcome', 'approved', 'user', visitor.id, 'session', made.session_id);
  END IF;
  INSERT INTO consents (user_id, app_id, scope) VALUES (visitor.id, app.id, p_scope)
  ON CONFLICT (user_id, app_id) DO UPDATE SET scope = excluded.scope, granted_at = now();
  IF p_token_ttl IS NOT NULL THEN
    INSERT INTO sessions (app_id, user_id, scope, expires_at)
    VALUES (app.id, visitor.id, p_scope, now() + make_interval(secs => p_token_ttl)) RETURNING id INTO opened;
    UPDATE authorization_codes SET session_id = opened WHERE hash = made.hash;
  END IF;
  RETURN json_build_object('outcome', 'approved', 'user', visitor.id, 'session', opened);
END $$;

-- The older password grant, before the password is hashed: the client first, then the very limits of signing in.
CREATE FUNCTION begin_password_grant_v1(p_client text, p_secret_hash text, p_address text, p_login text) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  SELECT * INTO client FROM authenticate_client_v1(p_client, p_secret_hash, p_address);
  RETURN coalesce(client.refusal, begin_sign_in_v1(p_login, p_address));
END $$;

-- After the password fitted `p_seen_hash`. Handing it over is the consent.
CREATE FUNCTION password_grant_v1(
  p_client text, p_user bigint, p_seen_hash text, p_attempt text, p_scope text, p_ttl integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  opened sessions;
BEGIN
  -- Locked, so that a change of the password ends what is opened here.
  PERFORM FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE a.user_id = p_user AND a.password_hash = p_seen_hash AND u.disabled_at IS NULL FOR SHARE OF a;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  INSERT INTO sessions (app_id, user_id, scope, expires_at)
  SELECT app.id, p_user, p_scope, now() + make_interval(secs => p_ttl)
  FROM apps app WHERE app.client_id = p_client AND app.disabled_at IS NULL
  RETURNING * INTO opened;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_grant');
  END IF;
  DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  INSERT INTO consents (user_id, app_id, scope) VALUES (p_user, opened.app_id, p_scope) ON CONFLICT DO NOTHING;
  RETURN json_build_object('outcome', 'issued', 'session', opened.id, 'user', p_user, 'scope', p_scope);
END $$;

-- Whose apps a page, or a token, is about; null for nobody.
CREATE FUNCTION site_owner_v1(p_site_session text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT u.id FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
$$;

CREATE FUNCTION api_owner_v1(p_session bigint, p_client text, p_user bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT p_user WHERE session_is_live_v1(p_session, p_client, p_user)
$$;

CREATE FUNCTION app_row_v1(a apps) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT a.id, a.name, a.permalink, a.external_url, u.username AS creator, u.permalink AS creator_permalink
    FROM users u WHERE u.id = a.owner_id) r
$$;

-- What its owner sees besides.
CREATE FUNCTION own_app_row_v1(a apps) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT app_row_v1(a)::jsonb || jsonb_build_object('client_id', a.client_id, 'redirect_uris', to_jsonb(a.redirect_uris),
    'previous_secret_expires_at', CASE WHEN a.previous_secret_expires_at > now() THEN a.previous_secret_expires_at END)
$$;

CREATE FUNCTION find_app_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'app', (
    SELECT app_row_v1(a) FROM apps a WHERE a.id = p_id AND a.disabled_at IS NULL AND NOT a.first_party));
END $$;

-- For the site's own pages, whose visitors have no API session.
CREATE FUNCTION find_app_by_permalink_v1(p_permalink text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT app_row_v1(a) FROM apps a
  WHERE a.permalink = p_permalink AND a.disabled_at IS NULL AND NOT a.first_party
$$;

CREATE FUNCTION list_own_apps_v1(p_owner bigint, p_before bigint, p_limit integer) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_owner IS NULL THEN json_build_object('auth_ok', false) ELSE
    json_build_object('auth_ok', true, 'plan', (SELECT u.plan FROM users u WHERE u.id = p_owner), 'apps', coalesce((
      SELECT json_agg(own_app_row_v1(a) ORDER BY a.id DESC)
      FROM (SELECT * FROM apps WHERE owner_id = p_owner AND id < p_before ORDER BY id DESC LIMIT p_limit) a), '[]'))
  END
$$;

-- Names repeat, permalinks cannot: the second of a name gets `p_suffix`.
CREATE FUNCTION register_app_v1(
  p_owner bigint, p_client text, p_secret_hash text, p_name text, p_permalink text, p_suffix text, p_external_url text,
  p_redirect_uris jsonb, p_by text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  wanted text;
  made apps;
BEGIN
  IF p_owner IS NULL THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF (SELECT u.plan FROM users u WHERE u.id = p_owner) = 'free' THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'free_plan');
  END IF;
  FOREACH wanted IN ARRAY ARRAY[p_permalink, p_permalink || '-' || p_suffix] LOOP
    INSERT INTO apps (client_id, secret_hash, owner_id, name, permalink, external_url, redirect_uris, registered_by)
    VALUES (p_client, p_secret_hash, p_owner, p_name, wanted, p_external_url,
      ARRAY(SELECT jsonb_array_elements_text(p_redirect_uris)), (SELECT b.id FROM apps b WHERE b.client_id = p_by))
    ON CONFLICT (permalink) DO NOTHING RETURNING * INTO made;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN json_build_object('auth_ok', true, 'outcome', 'registered', 'app', own_app_row_v1(made));
END $$;

-- Why nothing was changed.
CREATE FUNCTION unmanaged_app_v1(p_owner bigint, p_id bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (SELECT FROM apps a WHERE a.id = p_id AND a.owner_id = p_owner) THEN 'not_managed' ELSE 'unknown' END
$$;

-- The secret until now stays good for `p_overlap` seconds; one older than that is gone at once.
CREATE FUNCTION rotate_app_secret_v1(p_owner bigint, p_id bigint, p_secret_hash text, p_overlap integer, p_by text)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  rotated apps;
BEGIN
  IF p_owner IS NULL THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  UPDATE apps a SET previous_secret_hash = secret_hash, secret_hash = p_secret_hash,
    previous_secret_expires_at = now() + make_interval(secs => p_overlap)
  WHERE id = p_id AND owner_id = p_owner AND may_manage_app_v1(a, p_by) RETURNING * INTO rotated;
  IF FOUND THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'rotated', 'app', own_app_row_v1(rotated));
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', unmanaged_app_v1(p_owner, p_id));
END $$;

-- With it go its sessions, codes, tokens and consents; tracks made by it stay.
CREATE FUNCTION delete_app_v1(p_owner bigint, p_id bigint, p_by text) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF p_owner IS NULL THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  DELETE FROM apps a WHERE id = p_id AND owner_id = p_owner AND may_manage_app_v1(a, p_by);
  RETURN json_build_object('auth_ok', true, 'outcome',
    CASE WHEN FOUND THEN 'deleted' ELSE unmanaged_app_v1(p_owner, p_id) END);
END $$;
