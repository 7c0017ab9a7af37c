-- Revokes an app, or restores it (`p_act`). Its tokens, sessions and codes end for everybody, and it gets no new ones; once
-- restored, its users consent anew. The service's own apps stay. The owner gets a mail, with the words that are meant for them
-- (`p_message`) and never the log's reason.
CREATE OR REPLACE FUNCTION act_on_app(p_by jsonb, p_act text, p_client text, p_message text DEFAULT NULL) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  a apps;
  owner_left timestamptz;
  ended integer;
BEGIN
  PERFORM require_operator(p_by);
  SELECT * INTO a FROM apps WHERE client_id = p_client FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  SELECT u.disabled_at INTO owner_left FROM users u WHERE u.id = a.owner_id;
  IF p_act = 'revoke' AND (a.owner_id IS NULL OR a.first_party) THEN
    RETURN json_build_object('outcome', 'own');
  ELSIF p_act = 'restore' AND owner_left IS NOT NULL THEN
    RETURN json_build_object('outcome', 'owner_disabled');
  ELSIF p_act = 'restore' AND a.disabled_at IS NULL
    OR p_act = 'revoke' AND a.disabled_at IS NOT NULL AND a.disabled_at IS DISTINCT FROM owner_left THEN
    RETURN json_build_object('outcome', 'already');
  END IF;
  -- An app of a suspended owner gets its own time of disabling, so that the owner's return does not enable it.
  UPDATE apps SET disabled_at = CASE p_act WHEN 'revoke' THEN clock_timestamp() END WHERE id = a.id;
  IF p_act = 'revoke' THEN
    UPDATE authorization_codes SET expires_at = now() WHERE app_id = a.id AND redeemed_at IS NULL AND expires_at > now();
  END IF;
  UPDATE sessions SET revoked_at = now() WHERE app_id = a.id AND revoked_at IS NULL;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF p_act = 'revoke' THEN
    DELETE FROM consents WHERE app_id = a.id;
  END IF;
  PERFORM note_act(p_by, 'app.' || p_act, 'app', a.id, a.client_id, jsonb_build_object('name', a.name)
    || CASE p_act WHEN 'revoke' THEN jsonb_strip_nulls(jsonb_build_object('sessions', ended, 'message', p_message)) ELSE '{}' END);
  PERFORM queue_mail(o.user_id, 'app', o.email, NULL, NULL, jsonb_build_object('event', p_act, 'app', a.name, 'message', p_message))
  FROM accounts o WHERE o.user_id = a.owner_id AND o.confirmed_at IS NOT NULL;
  RETURN json_build_object('outcome', 'done', 'sessions', ended);
END $$;
