-- Returns true, or fails with SE000 before the statement touches a row. It names no column, so PostgreSQL evaluates it
-- once.
CREATE OR REPLACE FUNCTION require_session(p_session bigint, p_client text, p_user bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live(p_session, p_client, p_user) THEN
    RAISE 'the session has ended' USING ERRCODE = 'SE000';
  END IF;
  RETURN true;
END $$;
