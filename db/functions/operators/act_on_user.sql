-- Suspends a user, restores one, signs one out everywhere, changes its plan, lets it post before its address is confirmed, or
-- deletes it as if by the user's own wish (`p_act`). Returns `done` with the number of sessions that ended, or why nothing was done: `unknown`, or the user's state.
CREATE OR REPLACE FUNCTION act_on_user(p_by jsonb, p_act text, p_user bigint, p_plan text DEFAULT NULL) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  has_account boolean;
  before users;
  state text;
  ended integer;
BEGIN
  PERFORM require_operator(p_by);
  -- Statements that open a session lock or read the account after this one.
  PERFORM FROM accounts WHERE user_id = p_user FOR UPDATE;
  has_account := FOUND;
  SELECT * INTO before FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  state := CASE WHEN before.disabled_at IS NULL THEN 'active' WHEN has_account THEN 'suspended' ELSE 'leaving' END;
  IF p_act = 'suspend' AND state <> 'active' OR p_act = 'restore' AND state <> 'suspended'
    OR p_act = 'delete' AND state = 'leaving' THEN
    RETURN json_build_object('outcome', state);
  END IF;
  IF p_act = 'suspend' THEN
    -- Locks the apps before their codes and sessions, like `delete_app`.
    PERFORM FROM apps WHERE owner_id = p_user ORDER BY id FOR NO KEY UPDATE;
    INSERT INTO suspensions (user_id, reason) VALUES (p_user, p_by->>'reason');
    UPDATE users SET disabled_at = now(), updated_at = now() WHERE id = p_user;
  END IF;
  -- Ends sessions also when a suspension ends, because one may have been opened while the suspension was written.
  IF p_act IN ('suspend', 'restore', 'sign-out') THEN
    ended := (SELECT count(*) FROM sessions WHERE user_id = p_user AND revoked_at IS NULL AND expires_at > now());
    UPDATE site_sessions SET revoked_at = now() WHERE user_id = p_user AND revoked_at IS NULL;
    PERFORM end_access(p_user, NULL);
  END IF;
  CASE p_act
    WHEN 'suspend' THEN
      -- Stops the user's apps for everybody, expires running uploads, and leaves waiting encodes waiting. Queued posts would be
      -- stale.
      UPDATE sessions s SET revoked_at = now() FROM apps a
      WHERE a.owner_id = p_user AND s.app_id = a.id AND s.user_id IS NULL AND s.revoked_at IS NULL;
      UPDATE apps SET disabled_at = now() WHERE owner_id = p_user AND disabled_at IS NULL;
      UPDATE uploads SET expires_at = now()
      WHERE user_id = p_user AND status IN ('open', 'completing', 'ready') AND expires_at > now();
      UPDATE encoding_jobs j SET next_run_at = j.next_run_at + interval '100 years' FROM tracks t
      WHERE t.user_id = p_user AND j.track_id = t.id AND j.state = 'queued';
      DELETE FROM connection_posts p USING connections c
      WHERE c.user_id = p_user AND p.connection_id = c.id AND p.due_at IS NOT NULL;
      DELETE FROM mails WHERE user_id = p_user;
      DELETE FROM mail_tokens WHERE user_id = p_user;
    WHEN 'restore' THEN
      DELETE FROM suspensions WHERE user_id = p_user;
      -- An app that was revoked by itself has another time of disabling.
      UPDATE apps SET disabled_at = NULL WHERE owner_id = p_user AND disabled_at = before.disabled_at;
      UPDATE users SET disabled_at = NULL, updated_at = now() WHERE id = p_user;
      UPDATE encoding_jobs j SET next_run_at = now(), dispatched_at = NULL FROM tracks t
      WHERE t.user_id = p_user AND j.track_id = t.id AND j.state = 'queued' AND j.next_run_at > now() + interval '1 year';
    WHEN 'plan' THEN
      UPDATE users SET plan = p_plan, updated_at = now() WHERE id = p_user;
    WHEN 'delete' THEN
      PERFORM close_account(p_user);
    WHEN 'admit' THEN
      UPDATE accounts SET awaits_confirmation = false WHERE user_id = p_user;
    WHEN 'sign-out' THEN
      NULL;
  END CASE;
  PERFORM note_act(p_by, 'user.' || p_act, 'user', p_user, before.permalink, CASE p_act
    WHEN 'plan' THEN jsonb_build_object('from', before.plan, 'to', p_plan)
    WHEN 'sign-out' THEN jsonb_build_object('sessions', ended)
    ELSE '{}' END);
  RETURN json_build_object('outcome', 'done', 'sessions', ended);
END $$;
