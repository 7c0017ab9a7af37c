-- Ends an app's access to a user, or every app's if `p_app` is null. Disables its webhooks until the user enables them
-- again. `p_forgets` also forgets what the user allowed it, so that it has to ask anew.
CREATE OR REPLACE FUNCTION end_access(p_user bigint, p_app bigint, p_forgets boolean DEFAULT false) RETURNS boolean
LANGUAGE sql AS $$
  UPDATE authorization_codes SET expires_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND redeemed_at IS NULL AND expires_at > now();
  UPDATE sessions SET revoked_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND revoked_at IS NULL;
  UPDATE webhooks SET enabled = false, disabled_reason = 'access_ended', updated_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND enabled;
  DELETE FROM consents WHERE p_forgets AND user_id = p_user AND coalesce(app_id = p_app, true);
  SELECT true;
$$;
