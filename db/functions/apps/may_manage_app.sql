-- By `p_by`, the client whose token asks: itself, what it registered, all where it is ours. Null is the site, where the owner
-- sits. Else any app with a developer's token could take over all that they run.
CREATE OR REPLACE FUNCTION may_manage_app(a apps, p_by text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_by IS NULL OR EXISTS (
    SELECT FROM apps b WHERE b.client_id = p_by AND (b.first_party OR b.id IN (a.id, a.registered_by)))
$$;
