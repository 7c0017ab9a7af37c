-- Lets a suspended user in again, with the apps that the suspension stopped. Sessions stay ended.
CREATE OR REPLACE FUNCTION restore_user(p_by jsonb, p_user bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  let_in users;
BEGIN
  PERFORM begin_act(p_by);
  PERFORM FROM accounts WHERE user_id = p_user FOR UPDATE;
  SELECT * INTO let_in FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF moderated_user(let_in)->>'state' <> 'suspended' THEN
    RETURN json_build_object('outcome', moderated_user(let_in)->>'state');
  END IF;
  DELETE FROM suspensions WHERE user_id = p_user;
  -- One may have been opened while the suspension was written.
  PERFORM end_sessions_of_user(p_user);
  -- An app that was revoked on its own has another moment.
  UPDATE apps SET disabled_at = NULL WHERE owner_id = p_user AND disabled_at = let_in.disabled_at;
  UPDATE users SET disabled_at = NULL, updated_at = now() WHERE id = p_user;
  UPDATE encoding_jobs j SET next_run_at = now(), dispatched_at = NULL FROM tracks t
  WHERE t.user_id = p_user AND j.track_id = t.id AND j.state = 'queued' AND j.next_run_at > now() + interval '1 year';
  PERFORM note_act(p_by, 'user.restore', 'user', p_user, let_in.permalink);
  RETURN json_build_object('outcome', 'done', 'user', (SELECT moderated_user(u) FROM users u WHERE u.id = p_user));
END $$;
