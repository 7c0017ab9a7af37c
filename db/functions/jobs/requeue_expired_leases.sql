-- Fails attempts whose lease expired, because the transcoder died or is unreachable. A second cron finds nothing to do.
CREATE OR REPLACE FUNCTION requeue_expired_leases(p_attempts integer) RETURNS json LANGUAGE sql AS $$
  SELECT settle_failures(ARRAY(
      SELECT track_id FROM encoding_jobs
      WHERE (SELECT pg_try_advisory_xact_lock(hashtext('encoding_jobs requeue'))) AND state = 'leased' AND lease_until < now()
      FOR UPDATE),
    'lost', true, 'no heartbeat', p_attempts)
$$;
