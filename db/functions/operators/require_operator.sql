-- Returns true, or fails before the statement touches a row: with SE000 or SO000 unless the session belongs to an operator,
-- with SO001 if it has yet to pass the second factor.
CREATE OR REPLACE FUNCTION require_operator(p_session bigint, p_client text, p_user bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF operator_state(p_session, p_client, p_user) <> 'passed' THEN
    RAISE 'the second factor is needed' USING ERRCODE = 'SO001';
  END IF;
  RETURN true;
END $$;
