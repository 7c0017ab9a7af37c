-- Orders the beginnings and ends of attempts to a user's webhooks. Comes before the lock of any delivery that waits.
CREATE OR REPLACE FUNCTION lock_webhook_turns(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('webhook turns', p_user))
$$;
