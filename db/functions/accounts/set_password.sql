-- Changes the password and ends everything the old one opened: site sessions, app sessions, consents and mailed links. A
-- stranger who knew the password may have started any of them, or copied the cookie of one.
CREATE OR REPLACE FUNCTION set_password(p_user bigint, p_hash text) RETURNS void LANGUAGE sql AS $$
  UPDATE accounts SET password_hash = p_hash WHERE user_id = p_user;
  UPDATE site_sessions SET revoked_at = now() WHERE user_id = p_user AND revoked_at IS NULL;
  SELECT end_access(p_user, NULL, true);
  UPDATE mail_tokens SET used_at = now() WHERE user_id = p_user AND used_at IS NULL;
  -- Ended links no longer count. Otherwise somebody who requested five could delay the owner's next one. They still count if
  -- nobody confirmed the address, because it may be a stranger's.
  DELETE FROM failures WHERE bucket = 'mail reset ' || p_user
    AND EXISTS (SELECT FROM accounts a WHERE a.user_id = p_user AND a.confirmed_at IS NOT NULL);
  DELETE FROM failures WHERE bucket = 'password ' || p_user OR starts_with(bucket, 'password ' || p_user || ' ');
$$;
