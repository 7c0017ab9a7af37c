-- Returns the user of this change, once the password fitted `p_seen_hash`. Null if the session ended or the password
-- changed meanwhile. The lock orders parallel changes.
CREATE OR REPLACE FUNCTION confirmed_changer(p_session text, p_seen_hash text, p_attempt text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  changer bigint;
BEGIN
  SELECT a.user_id INTO changer FROM accounts a
  WHERE a.user_id = (site_user(p_session)->>'id')::bigint AND a.password_hash = p_seen_hash FOR UPDATE;
  IF FOUND THEN
    DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  END IF;
  RETURN changer;
END $$;
