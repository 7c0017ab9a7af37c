-- The app's id. Webhooks belong to an app and a user together: no other app of the user's sees or changes them.
CREATE OR REPLACE FUNCTION app_known_as(p_client text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM apps WHERE client_id = p_client
$$;
