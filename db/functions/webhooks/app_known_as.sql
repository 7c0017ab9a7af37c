-- Returns an app's id. Webhooks belong to an app and a user together: the user's other apps neither see nor change
-- them.
CREATE OR REPLACE FUNCTION app_known_as(p_client text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM apps WHERE client_id = p_client
$$;
