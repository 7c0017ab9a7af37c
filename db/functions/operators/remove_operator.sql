-- Takes the role from a user, and with it what its browsers have entered. Null if the user is no operator.
CREATE OR REPLACE FUNCTION remove_operator(p_permalink text, p_username_key text) RETURNS json LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM operators WHERE user_id = named_user(p_permalink, p_username_key) RETURNING user_id)
  SELECT json_build_object('id', u.id, 'username', u.username) FROM gone JOIN users u ON u.id = gone.user_id
$$;
