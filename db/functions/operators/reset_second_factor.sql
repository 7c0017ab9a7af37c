-- Forgets an operator's second factor and its attempts, so that the next entry sets up another with the code. Null if the
-- user is no operator.
CREATE OR REPLACE FUNCTION reset_second_factor(
  p_by jsonb, p_user bigint, p_code text, p_code_ttl integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  person users;
  was_enrolled boolean;
BEGIN
  SELECT * INTO person FROM users WHERE id = p_user;
  SELECT enrolled_at IS NOT NULL INTO was_enrolled FROM operators WHERE user_id = person.id FOR UPDATE;
  UPDATE operators SET secret_sealed = NULL, last_step = NULL, recovery_hashes = '{}', enrolled_at = NULL,
    code_hash = p_code, code_expires_at = now() + make_interval(secs => p_code_ttl)
  WHERE user_id = person.id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  DELETE FROM operator_entries WHERE user_id = person.id;
  DELETE FROM failures WHERE bucket IN ('second factor ' || person.id, 'second factor ' || person.id || ' of a day');
  PERFORM note_act(p_by, 'operator.reset', 'user', person.id, person.permalink);
  IF was_enrolled THEN
    PERFORM queue_mail(person.id, 'second-factor', (SELECT a.email FROM accounts a WHERE a.user_id = person.id), NULL, NULL,
      '{"change": "removed"}');
  END IF;
  RETURN json_build_object('id', person.id, 'username', person.username,
    'code_expires_at', now() + make_interval(secs => p_code_ttl));
END $$;
