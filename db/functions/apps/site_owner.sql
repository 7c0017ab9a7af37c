-- Whose apps a page, or a token, is about; null for nobody.
CREATE OR REPLACE FUNCTION site_owner(p_site_session text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT u.id FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
$$;
