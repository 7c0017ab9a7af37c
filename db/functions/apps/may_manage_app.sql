-- Tells whether client `p_by` may manage an app: itself, apps it registered, or any if it is ours. Null means the site.
-- Otherwise an app with a developer's token could take over all their apps.
CREATE OR REPLACE FUNCTION may_manage_app(a apps, p_by text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_by IS NULL OR EXISTS (
    SELECT FROM apps b WHERE b.client_id = p_by AND (b.first_party OR b.id IN (a.id, a.registered_by)))
$$;
