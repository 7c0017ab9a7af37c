-- Takes the role from a user, and with it what its browsers have entered. Null if the user is no operator.
CREATE OR REPLACE FUNCTION remove_operator(p_by jsonb, p_user jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  person users;
BEGIN
  SELECT * INTO person FROM users WHERE id = named_user(p_user);
  DELETE FROM operators WHERE user_id = person.id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM note_act(p_by, 'operator.remove', 'user', person.id, person.permalink);
  RETURN json_build_object('id', person.id, 'username', person.username);
END $$;
