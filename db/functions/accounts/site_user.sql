-- Finds the user of a browser's session, or null. Every page of the site calls it first.
CREATE OR REPLACE FUNCTION site_user(p_hash text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT u.id, u.username, u.permalink, a.email, a.confirmed_at IS NOT NULL AS confirmed, u.plan
    FROM site_sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
    WHERE s.hash = p_hash AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL) r
$$;
