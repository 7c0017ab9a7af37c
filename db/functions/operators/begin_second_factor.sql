-- Counts an attempt at the second factor and returns the secret to verify it with.
CREATE OR REPLACE FUNCTION begin_second_factor(p_session bigint, p_client text, p_user bigint) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  attempt record;
BEGIN
  IF operator_state(p_session, p_client, p_user) = 'enrol' THEN
    RETURN json_build_object('outcome', 'enrol');
  END IF;
  SELECT * INTO attempt FROM second_factor_attempt(p_user);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  RETURN (SELECT json_build_object('outcome', 'open', 'attempt', attempt.taken::text,
    'secret', encode(o.secret_sealed, 'base64')) FROM operators o WHERE o.user_id = p_user);
END $$;
