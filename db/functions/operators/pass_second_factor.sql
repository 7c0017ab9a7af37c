-- Lets the session pass after a code of `p_step` fitted the secret, or by a recovery code. Each is accepted once: false if
-- it was used before, or if the secret has changed meanwhile. Otherwise the attempt does not count.
CREATE OR REPLACE FUNCTION pass_second_factor(
  p_session bigint, p_client text, p_user bigint, p_secret bytea, p_step bigint, p_recovery text, p_attempt text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM operator_state(p_session, p_client, p_user);
  UPDATE operators SET last_step = coalesce(p_step, last_step), recovery_hashes = array_remove(recovery_hashes, p_recovery)
  WHERE user_id = p_user AND secret_sealed = p_secret
    AND (p_step > coalesce(last_step, 0) OR p_recovery = ANY (recovery_hashes));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM failures WHERE id = ANY (p_attempt::bigint[]);
  INSERT INTO operator_entries (session_id, user_id) VALUES (p_session, p_user)
  ON CONFLICT (session_id) DO UPDATE SET passed_at = now();
  PERFORM note_act(jsonb_build_object('caller', jsonb_build_object('user', p_user)), 'operator.enter', 'user', p_user,
    (SELECT u.permalink FROM users u WHERE u.id = p_user), jsonb_build_object('recovery_code', p_step IS NULL));
  RETURN true;
END $$;
