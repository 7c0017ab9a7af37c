-- Returns the fields that only the owner sees.
CREATE OR REPLACE FUNCTION own_app_row(a apps) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', a.id, 'name', a.name, 'permalink', a.permalink, 'external_url', a.external_url,
    'creator', u.username, 'creator_permalink', u.permalink, 'client_id', a.client_id,
    'client_type', CASE WHEN a.secret_hash IS NULL THEN 'public' ELSE 'confidential' END, 'redirect_uris', to_jsonb(a.redirect_uris),
    'previous_secret_expires_at', CASE WHEN a.previous_secret_expires_at > now() THEN a.previous_secret_expires_at END,
    'revoked_at', a.disabled_at, 'revoked_for', CASE WHEN a.disabled_at IS NOT NULL THEN (
      SELECT l.details->>'message' FROM audit_log l WHERE l.target_kind = 'app' AND l.target_id = a.id AND l.act = 'app.revoke'
      ORDER BY l.id DESC LIMIT 1) END)
  FROM users u WHERE u.id = a.owner_id
$$;
