-- Deletes a user as if by the user's own wish. The sweep erases the rows and the files.
CREATE OR REPLACE FUNCTION remove_user(p_by jsonb, p_user bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  gone users;
BEGIN
  PERFORM begin_act(p_by);
  PERFORM FROM accounts WHERE user_id = p_user FOR UPDATE;
  SELECT * INTO gone FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF moderated_user(gone)->>'state' = 'leaving' THEN
    RETURN json_build_object('outcome', 'leaving');
  END IF;
  PERFORM close_account(p_user);
  PERFORM note_act(p_by, 'user.delete', 'user', p_user, gone.permalink);
  RETURN json_build_object('outcome', 'done', 'user', (SELECT moderated_user(u) FROM users u WHERE u.id = p_user));
END $$;
