-- Makes a user an operator, whose first entry needs the code. Repeated before that entry, only the newest code counts;
-- after it, nothing changes. Null if there is no such user, or nobody can sign in as it.
CREATE OR REPLACE FUNCTION add_operator(p_by jsonb, p_user bigint, p_code text, p_code_ttl integer)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  person users;
BEGIN
  SELECT u.* INTO person FROM users u JOIN accounts a ON a.user_id = u.id
  WHERE u.id = p_user AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO operators AS o (user_id, code_hash, code_expires_at)
  VALUES (person.id, p_code, now() + make_interval(secs => p_code_ttl))
  ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at
  WHERE o.enrolled_at IS NULL AND o.code_hash IS DISTINCT FROM excluded.code_hash;
  IF FOUND THEN
    PERFORM note_act(p_by, 'operator.add', 'user', person.id, person.permalink);
  END IF;
  RETURN (SELECT json_build_object('id', person.id, 'username', person.username, 'code_expires_at', o.code_expires_at)
    FROM operators o WHERE o.user_id = person.id);
END $$;
