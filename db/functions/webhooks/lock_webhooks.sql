-- Whoever adds a webhook of this user, or sends one elsewhere, waits for whoever is doing so.
CREATE OR REPLACE FUNCTION lock_webhooks(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('webhooks'), hashint8(p_user))
$$;
