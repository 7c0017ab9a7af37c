-- Ends an account at once: no sign-in, no tokens, nothing visible. `erase_some` erases the rest and recognizes the user
-- by the missing account. Users whom operators disabled keep theirs.
CREATE OR REPLACE FUNCTION delete_account(p_session text, p_seen_hash text, p_attempt text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  leaver bigint := confirmed_changer(p_session, p_seen_hash, p_attempt);
BEGIN
  IF leaver IS NULL THEN
    RETURN false;
  END IF;
  UPDATE users SET disabled_at = now() WHERE id = leaver;
  UPDATE site_sessions SET revoked_at = now() WHERE user_id = leaver AND revoked_at IS NULL;
  PERFORM end_grants(leaver, NULL);
  UPDATE apps SET disabled_at = coalesce(disabled_at, now()) WHERE owner_id = leaver;
  UPDATE tracks SET sharing = 'private', secret_hash = sha256(gen_random_uuid()::text::bytea) WHERE user_id = leaver;
  -- Expires the uploads, so that the sweep also deletes their parts.
  UPDATE uploads SET expires_at = now() WHERE user_id = leaver AND status IN ('open', 'completing', 'ready');
  DELETE FROM mails WHERE user_id = leaver;
  DELETE FROM mail_tokens WHERE user_id = leaver;
  DELETE FROM accounts WHERE user_id = leaver;
  RETURN true;
END $$;
