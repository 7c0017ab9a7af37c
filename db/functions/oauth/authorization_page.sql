-- Returns the contents of the consent page: app, user and earlier consent.
CREATE OR REPLACE FUNCTION authorization_page(p_client text, p_site_session text) RETURNS json LANGUAGE sql STABLE AS $$
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
