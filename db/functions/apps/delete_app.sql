-- Deletes an app with its sessions, codes and consents; tracks made by it stay. `p_by` is the client of the caller's token, or
-- null for a page of the site. An app manages itself and the apps that it registered; the site's own apps manage all.
CREATE OR REPLACE FUNCTION delete_app(p_owner bigint, p_by text, p_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM apps a
  WHERE a.id = p_id AND a.owner_id = p_owner AND (p_by IS NULL OR EXISTS (
    SELECT FROM apps m WHERE m.client_id = p_by AND (m.first_party OR m.id = a.id OR m.id = a.registered_by)))
  FOR NO KEY UPDATE OF a;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Runs under the weaker lock, because an upload that becomes a track is locked before its app.
  UPDATE tracks SET app_id = NULL WHERE app_id = p_id;
  UPDATE uploads SET app_id = NULL WHERE app_id = p_id;
  -- Locks the app before its codes: an exchange locks the app, then the code and its session.
  PERFORM FROM apps WHERE id = p_id FOR UPDATE;
  -- Deletes large tables first, because following a user waits for the deletion of the user's webhook.
  DELETE FROM authorization_codes WHERE app_id = p_id;
  DELETE FROM sessions WHERE app_id = p_id;
  -- Locks each webhook before its deliveries, like the statement that disables it.
  PERFORM FROM webhooks WHERE app_id = p_id ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM webhook_deliveries WHERE webhook_id IN (SELECT id FROM webhooks WHERE app_id = p_id);
  DELETE FROM apps WHERE id = p_id;
  RETURN true;
END $$;
