-- Forgets an operator's second factor and its attempts, so that the next entry sets up another. Null if the user is no
-- operator.
CREATE OR REPLACE FUNCTION reset_second_factor(p_by jsonb, p_permalink text, p_username_key text) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  person users;
BEGIN
  SELECT * INTO person FROM users WHERE id = named_user(p_permalink, p_username_key);
  UPDATE operators SET secret_sealed = NULL, last_step = NULL, recovery_hashes = '{}', enrolled_at = NULL
  WHERE user_id = person.id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  DELETE FROM operator_entries WHERE user_id = person.id;
  DELETE FROM failures WHERE bucket IN ('second factor ' || person.id, 'second factor ' || person.id || ' of a day');
  PERFORM note_act(p_by, 'operator.reset', 'user', person.id, person.permalink);
  RETURN json_build_object('id', person.id, 'username', person.username);
END $$;
