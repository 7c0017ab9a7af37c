-- Counts an attempt at an operator's second factor, or at setting it up, and returns the secret to verify it with. Five in 15
-- minutes and twenty a day: a code that is guessed at this pace for a year is found with a chance of two in a hundred.
CREATE OR REPLACE FUNCTION begin_second_factor(p_session bigint, p_client text, p_user bigint, p_enrolling boolean) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  enrols CONSTANT boolean := operator_state(p_session, p_client, p_user) = 'enrol';
  attempt record;
BEGIN
  IF enrols <> p_enrolling THEN
    RETURN json_build_object('outcome', CASE WHEN enrols THEN 'enrol' ELSE 'already' END);
  END IF;
  SELECT * INTO attempt FROM take_attempt(ARRAY['second factor ' || p_user, 'second factor ' || p_user || ' of a day'],
    ARRAY[5, 20], ARRAY[interval '15 minutes', interval '1 day']);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  RETURN (SELECT json_build_object('outcome', 'open', 'attempt', attempt.taken::text,
    'secret', encode(o.secret_sealed, 'base64')) FROM operators o WHERE o.user_id = p_user);
END $$;
