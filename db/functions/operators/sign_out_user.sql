CREATE OR REPLACE FUNCTION sign_out_user(p_by jsonb, p_user bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  signed_out users;
  ended integer;
BEGIN
  PERFORM begin_act(p_by);
  PERFORM FROM accounts WHERE user_id = p_user FOR UPDATE;
  SELECT * INTO signed_out FROM users WHERE id = p_user;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  ended := end_sessions_of_user(p_user);
  PERFORM note_act(p_by, 'user.sign-out', 'user', p_user, signed_out.permalink, jsonb_build_object('sessions', ended));
  RETURN json_build_object('outcome', 'done', 'user', moderated_user(signed_out), 'sessions', ended);
END $$;
