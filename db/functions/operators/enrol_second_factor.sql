-- Stores the second factor of an operator who has none, and passes it with the first code. False if there is one already:
-- another browser was first.
CREATE OR REPLACE FUNCTION enrol_second_factor(
  p_session bigint, p_client text, p_user bigint, p_secret bytea, p_step bigint, p_recovery text[]
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM operator_state(p_session, p_client, p_user);
  UPDATE operators SET secret_sealed = p_secret, last_step = p_step, recovery_hashes = p_recovery, enrolled_at = now()
  WHERE user_id = p_user AND enrolled_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO operator_entries (session_id, user_id) VALUES (p_session, p_user)
  ON CONFLICT (session_id) DO UPDATE SET passed_at = now();
  PERFORM note_act(jsonb_build_object('caller', jsonb_build_object('user', p_user)), 'operator.enrol', 'user', p_user,
    (SELECT u.permalink FROM users u WHERE u.id = p_user));
  PERFORM queue_mail(p_user, 'second-factor', (SELECT a.email FROM accounts a WHERE a.user_id = p_user), NULL, NULL,
    '{"change": "set up"}');
  RETURN true;
END $$;
