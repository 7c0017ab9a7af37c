-- Tells whether the app has the user's consent or a live session. The site itself always has access: signing out leaves
-- the webhooks that the user made there.
CREATE OR REPLACE FUNCTION app_has_access(p_user bigint, p_app bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM consents WHERE user_id = p_user AND app_id = p_app)
    OR EXISTS (SELECT FROM sessions
      WHERE user_id = p_user AND app_id = p_app AND revoked_at IS NULL AND expires_at > now())
    OR EXISTS (SELECT FROM apps WHERE id = p_app AND client_id = 'site')
$$;
