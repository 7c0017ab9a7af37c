-- Tells whether a session lives. Id 0 stands for an app that sent only its client id (older behavior): it has no token, so it
-- lives as long as the app, which must have an owner. Id -1 stands for a visitor of the site.
CREATE OR REPLACE FUNCTION session_is_live(p_session bigint, p_client text, p_user bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_session = -1 THEN
    RETURN p_user IS NULL AND p_client = 'site';
  ELSIF p_session = 0 THEN
    RETURN p_user IS NULL AND EXISTS (SELECT FROM apps a WHERE a.client_id = p_client AND a.disabled_at IS NULL
      AND a.owner_id IS NOT NULL);
  END IF;
  PERFORM FROM sessions s JOIN apps a ON a.id = s.app_id LEFT JOIN users u ON u.id = s.user_id
    WHERE s.id = p_session AND a.client_id = p_client AND s.user_id IS NOT DISTINCT FROM p_user
      AND s.revoked_at IS NULL AND s.expires_at > now() AND a.disabled_at IS NULL AND u.disabled_at IS NULL;
  RETURN FOUND;
END $$;
