-- Revokes an app: its tokens, sessions and codes end for everybody, and it gets no new ones. The service's own apps stay.
CREATE OR REPLACE FUNCTION stop_app(p_by jsonb, p_client text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a apps;
  ended integer;
BEGIN
  PERFORM begin_act(p_by);
  SELECT * INTO a FROM apps WHERE client_id = p_client FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF a.owner_id IS NULL OR a.first_party THEN
    RETURN json_build_object('outcome', 'own');
  ELSIF a.disabled_at IS DISTINCT FROM (SELECT u.disabled_at FROM users u WHERE u.id = a.owner_id) AND a.disabled_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'already', 'app', moderated_app(a));
  END IF;
  -- A suspended owner's app gets a moment of its own, so that the owner's return does not start it.
  UPDATE apps SET disabled_at = clock_timestamp() WHERE id = a.id RETURNING * INTO a;
  UPDATE authorization_codes SET expires_at = now() WHERE app_id = a.id AND redeemed_at IS NULL AND expires_at > now();
  UPDATE sessions SET revoked_at = now() WHERE app_id = a.id AND revoked_at IS NULL;
  GET DIAGNOSTICS ended = ROW_COUNT;
  DELETE FROM consents WHERE app_id = a.id;
  PERFORM note_act(p_by, 'app.revoke', 'app', a.id, a.client_id, jsonb_build_object('name', a.name, 'sessions', ended));
  RETURN json_build_object('outcome', 'done', 'app', moderated_app(a), 'sessions', ended);
END $$;
