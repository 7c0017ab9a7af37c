-- Locks a session with its user and app, so that whoever ends it, or disables one of them, sees what this transaction writes, or
-- is seen by it. A suspension locks in this order too.
CREATE OR REPLACE FUNCTION hold_session(p_session bigint, p_client text, p_user bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = p_user FOR SHARE;
  PERFORM FROM apps WHERE client_id = p_client FOR SHARE;
  PERFORM FROM sessions WHERE id = p_session FOR SHARE;
END $$;
