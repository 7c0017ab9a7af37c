-- Deletes an app with its sessions, codes, tokens and consents. Tracks made by it stay.
CREATE OR REPLACE FUNCTION delete_app(p_owner bigint, p_id bigint, p_by text) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM apps a WHERE id = p_id AND owner_id = p_owner AND may_manage_app(a, p_by);
  RETURN json_build_object('outcome',
    CASE WHEN FOUND THEN 'deleted' ELSE unmanaged_app(p_owner, p_id) END);
END $$;
