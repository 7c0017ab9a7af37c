-- Creates profile and account. A name or address that is taken raises 23505.
CREATE OR REPLACE FUNCTION create_user(p_new jsonb) RETURNS json LANGUAGE sql AS $$
  WITH made AS (
    INSERT INTO users (username, username_key, look_alike_key, permalink, plan)
    VALUES (p_new->>'username', p_new->>'username_key', p_new->>'look_alike_key',
      free_permalink(p_new->>'permalink', p_new->>'spare'), p_new->>'plan')
    RETURNING id
  ), account AS (
    INSERT INTO accounts (user_id, email, password_hash, confirmed_at)
    SELECT id, p_new->>'email', p_new->>'password_hash', CASE WHEN (p_new->>'confirmed')::boolean THEN now() END FROM made)
  SELECT json_build_object('id', id) FROM made
$$;
