-- Opens a site session after the password matched `p_seen_hash`. Refuses if the password changed meanwhile. A suspended user
-- gets the reason, because the password proves who they are.
CREATE OR REPLACE FUNCTION sign_in(
  p_user bigint, p_seen_hash text, p_new_hash text, p_attempt text, p_old_session text, p_session text,
  p_browser text, p_ttl integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  disabled_at timestamptz;
  why text;
BEGIN
  SELECT u.disabled_at INTO disabled_at FROM accounts a JOIN users u ON u.id = a.user_id
  WHERE a.user_id = p_user AND a.password_hash = p_seen_hash FOR UPDATE OF a;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'refused', 'reason', NULL);
  END IF;
  DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  IF disabled_at IS NOT NULL THEN
    SELECT s.reason INTO why FROM suspensions s WHERE s.user_id = p_user;
    RETURN json_build_object('outcome', CASE WHEN FOUND THEN 'suspended' ELSE 'refused' END, 'reason', why);
  END IF;
  IF p_new_hash IS NOT NULL THEN
    UPDATE accounts SET password_hash = p_new_hash WHERE user_id = p_user;
  END IF;
  UPDATE site_sessions SET revoked_at = now() WHERE hash = p_old_session AND revoked_at IS NULL;
  INSERT INTO site_sessions (hash, user_id, browser, expires_at)
  VALUES (p_session, p_user, p_browser, now() + make_interval(secs => p_ttl));
  RETURN json_build_object('outcome', 'done');
END $$;
