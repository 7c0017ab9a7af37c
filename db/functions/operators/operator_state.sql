-- Tells how far a session of the site has come towards the operators' pages: `enrol`, `enter` or `passed`. Fails with SE000
-- or SO000 unless it belongs to an operator. A session passes the second factor for 12 hours.
CREATE OR REPLACE FUNCTION operator_state(p_session bigint, p_client text, p_user bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  operator operators;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT o.* INTO operator FROM operators o WHERE o.user_id = p_user AND p_client = 'site';
  IF operator.user_id IS NULL THEN
    RAISE 'no operator' USING ERRCODE = 'SO000';
  ELSIF operator.enrolled_at IS NULL THEN
    RETURN 'enrol';
  END IF;
  PERFORM FROM operator_entries e
  WHERE e.session_id = p_session AND e.user_id = p_user AND e.passed_at > now() - interval '12 hours';
  RETURN CASE WHEN FOUND THEN 'passed' ELSE 'enter' END;
END $$;
