-- Orders requests that add or redirect a user's webhooks.
CREATE OR REPLACE FUNCTION lock_webhooks(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('webhooks'), hashint8(p_user))
$$;
