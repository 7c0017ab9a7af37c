-- Creates profile and account. A name or address that is taken raises 23505.
CREATE OR REPLACE FUNCTION create_user(p_by jsonb, p_new jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  made users;
BEGIN
  INSERT INTO users (username, username_key, look_alike_key, permalink, plan)
  VALUES (p_new->>'username', p_new->>'username_key', p_new->>'look_alike_key',
    free_permalink(p_new->>'permalink', p_new->>'spare'), p_new->>'plan')
  RETURNING * INTO made;
  INSERT INTO accounts (user_id, email, password_hash, confirmed_at)
  VALUES (made.id, p_new->>'email', p_new->>'password_hash', CASE WHEN (p_new->>'confirmed')::boolean THEN now() END);
  PERFORM note_act(p_by, 'user.create', 'user', made.id, made.permalink,
    jsonb_build_object('plan', made.plan, 'confirmed', (p_new->>'confirmed')::boolean));
  RETURN json_build_object('id', made.id);
END $$;
