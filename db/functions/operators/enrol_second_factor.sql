-- Stores the second factor of an operator who has none and knows the code of the command line, and lets the session pass. The
-- attempt counts as one at the second factor unless the code is right. Returns the outcome; `already` if another browser was
-- first.
CREATE OR REPLACE FUNCTION enrol_second_factor(
  p_session bigint, p_client text, p_user bigint, p_code text, p_secret bytea, p_step bigint, p_recovery text[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  begun json := begin_second_factor(p_session, p_client, p_user, true);
BEGIN
  IF begun->>'outcome' <> 'open' THEN
    RETURN begun;
  END IF;
  UPDATE operators SET secret_sealed = p_secret, last_step = p_step, recovery_hashes = p_recovery, enrolled_at = now(),
    code_hash = NULL, code_expires_at = NULL
  WHERE user_id = p_user AND enrolled_at IS NULL AND code_hash = p_code AND code_expires_at > now();
  IF NOT FOUND THEN
    -- Reads the operator again, because another browser or a reset may have been first.
    RETURN json_build_object('outcome', CASE WHEN operator_state(p_session, p_client, p_user) <> 'enrol' THEN 'already'
      WHEN (SELECT o.code_hash = p_code FROM operators o WHERE o.user_id = p_user) THEN 'expired' ELSE 'wrong' END);
  END IF;
  DELETE FROM failures WHERE id = ANY ((begun->>'attempt')::bigint[]);
  INSERT INTO operator_entries (session_id, user_id) VALUES (p_session, p_user)
  ON CONFLICT (session_id) DO UPDATE SET passed_at = now();
  PERFORM note_act(jsonb_build_object('caller', jsonb_build_object('user', p_user)), 'operator.enrol', 'user', p_user,
    (SELECT u.permalink FROM users u WHERE u.id = p_user));
  PERFORM queue_mail(p_user, 'second-factor', (SELECT a.email FROM accounts a WHERE a.user_id = p_user), NULL, NULL,
    '{"change": "set up"}');
  RETURN json_build_object('outcome', 'done');
END $$;
