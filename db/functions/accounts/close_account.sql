-- Ends an account at once: no sign-in, no tokens, nothing visible, because the user is disabled. `erase_some` erases the rest and
-- recognizes the user by the missing account. False without a user: `confirmed_changer` confirmed none.
CREATE OR REPLACE FUNCTION close_account(p_user bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF p_user IS NULL THEN
    RETURN false;
  END IF;
  -- Before their sessions and webhooks, like the deletion of an app.
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
  -- At once, because they hold tokens.
  DELETE FROM connections WHERE user_id = p_user;
  RETURN true;
END $$;
