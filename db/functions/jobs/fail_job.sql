-- Fails an attempt, as `settle_failures` does. False if the lease is lost. Repeating it changes nothing and returns true.
CREATE OR REPLACE FUNCTION fail_job(
  p_track bigint, p_lease uuid, p_reason text, p_retryable boolean, p_detail text, p_attempts integer
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  job encoding_jobs;
BEGIN
  SELECT * INTO job FROM encoding_jobs j
  WHERE j.track_id = p_track AND j.lease_token = p_lease
    AND (j.state = 'leased' AND j.lease_until > now() OR j.state IN ('queued', 'failed'))
  FOR UPDATE;
  IF job.state = 'leased' THEN
    PERFORM settle_failures(ARRAY[p_track], p_reason, p_retryable, p_detail, p_attempts);
  END IF;
  RETURN job.state IS NOT NULL;
END $$;
