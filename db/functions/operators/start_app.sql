-- Lets a revoked app ask for tokens again. Its users consent anew.
CREATE OR REPLACE FUNCTION start_app(p_by jsonb, p_client text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a apps;
BEGIN
  PERFORM begin_act(p_by);
  SELECT * INTO a FROM apps WHERE client_id = p_client FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF EXISTS (SELECT FROM users u WHERE u.id = a.owner_id AND u.disabled_at IS NOT NULL) THEN
    RETURN json_build_object('outcome', 'owner_disabled');
  ELSIF a.disabled_at IS NULL THEN
    RETURN json_build_object('outcome', 'already', 'app', moderated_app(a));
  END IF;
  UPDATE sessions SET revoked_at = now() WHERE app_id = a.id AND revoked_at IS NULL;
  UPDATE apps SET disabled_at = NULL WHERE id = a.id RETURNING * INTO a;
  PERFORM note_act(p_by, 'app.restore', 'app', a.id, a.client_id, jsonb_build_object('name', a.name));
  RETURN json_build_object('outcome', 'done', 'app', moderated_app(a));
END $$;
