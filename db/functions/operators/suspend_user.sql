-- Shuts a user out until `restore_user`: no sign-in, no tokens, nothing visible. Apps of the user stop for everybody,
-- uploads under way expire, and waiting encodes wait on. Queued posts to other services would be stale by then.
CREATE OR REPLACE FUNCTION suspend_user(p_by jsonb, p_user bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  shut_out users;
BEGIN
  PERFORM begin_act(p_by);
  -- Everything that opens a session locks or reads the account after this.
  PERFORM FROM accounts WHERE user_id = p_user FOR UPDATE;
  SELECT * INTO shut_out FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF shut_out.disabled_at IS NOT NULL THEN
    RETURN json_build_object('outcome', moderated_user(shut_out)->>'state');
  END IF;
  -- Before codes and sessions, like the deletion of an app.
  PERFORM FROM apps WHERE owner_id = p_user ORDER BY id FOR NO KEY UPDATE;
  INSERT INTO suspensions (user_id, reason) VALUES (p_user, p_by->>'reason');
  UPDATE users SET disabled_at = now(), updated_at = now() WHERE id = p_user;
  PERFORM end_sessions_of_user(p_user);
  UPDATE sessions s SET revoked_at = now() FROM apps a
  WHERE a.owner_id = p_user AND s.app_id = a.id AND s.user_id IS NULL AND s.revoked_at IS NULL;
  UPDATE apps SET disabled_at = now() WHERE owner_id = p_user AND disabled_at IS NULL;
  UPDATE uploads SET expires_at = now() WHERE user_id = p_user AND status IN ('open', 'completing', 'ready') AND expires_at > now();
  UPDATE encoding_jobs j SET next_run_at = j.next_run_at + interval '100 years' FROM tracks t
  WHERE t.user_id = p_user AND j.track_id = t.id AND j.state = 'queued';
  DELETE FROM connection_posts p USING connections c WHERE c.user_id = p_user AND p.connection_id = c.id AND p.due_at IS NOT NULL;
  DELETE FROM mails WHERE user_id = p_user;
  DELETE FROM mail_tokens WHERE user_id = p_user;
  PERFORM note_act(p_by, 'user.suspend', 'user', p_user, shut_out.permalink);
  RETURN json_build_object('outcome', 'done', 'user', (SELECT moderated_user(u) FROM users u WHERE u.id = p_user));
END $$;
