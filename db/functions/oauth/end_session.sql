-- Ends a session. False if it had already ended.
CREATE OR REPLACE FUNCTION end_session(p_session bigint, p_client text, p_user bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live(p_session, p_client, p_user) THEN
    RETURN false;
  END IF;
  UPDATE sessions SET revoked_at = now() WHERE id = p_session AND revoked_at IS NULL;
  RETURN FOUND;
END $$;
