-- Makes a user an operator. Repeating it changes nothing. Null if there is no such user, or nobody can sign in as it.
CREATE OR REPLACE FUNCTION add_operator(p_by jsonb, p_permalink text, p_username_key text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  person users;
BEGIN
  SELECT u.* INTO person FROM users u JOIN accounts a ON a.user_id = u.id
  WHERE u.id = named_user(p_permalink, p_username_key) AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO operators (user_id) VALUES (person.id) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM note_act(p_by, 'operator.add', 'user', person.id, person.permalink);
  END IF;
  RETURN json_build_object('id', person.id, 'username', person.username);
END $$;
