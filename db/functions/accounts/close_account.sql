-- Ends an account at once: the user is disabled, so there is no sign-in, no token and nothing visible. `erase_some` erases the
-- rest and recognizes the user by the missing account. Returns false if `confirmed_changer` returned no user.
CREATE OR REPLACE FUNCTION close_account(p_user bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF p_user IS NULL THEN
    RETURN false;
  END IF;
  -- Locks the apps before their sessions and webhooks, like `delete_app`.
  PERFORM FROM apps WHERE owner_id = p_user ORDER BY id FOR NO KEY UPDATE;
  UPDATE users SET disabled_at = now() WHERE id = p_user;
  DELETE FROM suspensions WHERE user_id = p_user;
  UPDATE site_sessions SET revoked_at = now() WHERE user_id = p_user AND revoked_at IS NULL;
  PERFORM end_access(p_user, NULL);
  UPDATE apps SET disabled_at = coalesce(disabled_at, now()) WHERE owner_id = p_user;
  -- Expires the uploads, so that the sweep also deletes their parts.
  UPDATE uploads SET expires_at = now() WHERE user_id = p_user AND status IN ('open', 'completing', 'ready');
  UPDATE reports SET email = NULL WHERE reporter_id = p_user AND email IS NOT NULL;
  DELETE FROM mails WHERE user_id = p_user;
  DELETE FROM mail_tokens WHERE user_id = p_user;
  DELETE FROM accounts WHERE user_id = p_user;
  -- Connections hold tokens, so they are deleted at once.
  DELETE FROM connections WHERE user_id = p_user;
  RETURN true;
END $$;
