-- Returns the user whose password matched `p_seen_hash`. Null if the session ended or the password changed meanwhile. The lock
-- orders parallel changes.
CREATE OR REPLACE FUNCTION confirmed_changer(p_session text, p_seen_hash text, p_attempt text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  changer bigint;
BEGIN
  SELECT a.user_id INTO changer
  FROM site_sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
  WHERE s.hash = p_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
    AND a.password_hash = p_seen_hash FOR UPDATE OF a;
  IF FOUND THEN
    DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  END IF;
  RETURN changer;
END $$;
