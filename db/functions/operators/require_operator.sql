-- Returns true, or fails before the statement touches a row. `p_by` is as in `note_act`: the session of its `caller` has to be
-- an operator's, or it fails with SE000 or SO000, and has to have passed the second factor, or it fails with SO001. The
-- command line has no session.
CREATE OR REPLACE FUNCTION require_operator(p_by jsonb) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_by ? 'caller' AND operator_state((p_by #>> '{caller,session}')::bigint, p_by #>> '{caller,client}',
    (p_by #>> '{caller,user}')::bigint) <> 'passed' THEN
    RAISE 'the second factor is needed' USING ERRCODE = 'SO001';
  END IF;
  RETURN true;
END $$;
