-- Deletes an app with its sessions, codes and consents; tracks made by it stay. `p_by` is the client of the token that asks, or
-- null for a page of the site. It manages itself and what it registered, and the site's own apps manage all.
CREATE OR REPLACE FUNCTION delete_app(p_owner bigint, p_by text, p_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM apps a
  WHERE a.id = p_id AND a.owner_id = p_owner AND (p_by IS NULL OR EXISTS (
    SELECT FROM apps m WHERE m.client_id = p_by AND (m.first_party OR m.id = a.id OR m.id = a.registered_by)));
  RETURN FOUND;
END $$;
