CREATE OR REPLACE FUNCTION change_plan(p_by jsonb, p_user bigint, p_plan text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  stored users;
BEGIN
  PERFORM begin_act(p_by);
  SELECT * INTO stored FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  UPDATE users SET plan = p_plan, updated_at = now() WHERE id = p_user;
  PERFORM note_act(p_by, 'user.plan', 'user', p_user, stored.permalink, jsonb_build_object('from', stored.plan, 'to', p_plan));
  RETURN json_build_object('outcome', 'done', 'user', (SELECT moderated_user(u) FROM users u WHERE u.id = p_user));
END $$;
