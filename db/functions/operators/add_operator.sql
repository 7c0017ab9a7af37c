-- Makes a user an operator. Repeating it changes nothing. Null if there is no such user, or nobody can sign in as it.
CREATE OR REPLACE FUNCTION add_operator(p_permalink text, p_username_key text) RETURNS json LANGUAGE sql AS $$
  WITH person AS (
    SELECT u.id, u.username FROM users u JOIN accounts a ON a.user_id = u.id
    WHERE u.id = named_user(p_permalink, p_username_key) AND u.disabled_at IS NULL
  ), made AS (
    INSERT INTO operators (user_id) SELECT id FROM person ON CONFLICT DO NOTHING)
  SELECT json_build_object('id', id, 'username', username) FROM person
$$;
