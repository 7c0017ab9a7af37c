-- Counts a message that the consumer could not process as an attempt. Returns the job's new state, or null.
CREATE OR REPLACE FUNCTION count_dead_letter(p_track bigint, p_generation integer, p_attempts integer) RETURNS text
LANGUAGE sql AS $$
  WITH job AS (
    UPDATE encoding_jobs
    SET attempt = attempt + 1, state = CASE WHEN attempt + 1 < p_attempts THEN 'queued' ELSE 'failed' END,
      failure_reason = 'gave_up', failure_retryable = true,
      finished_at = CASE WHEN attempt + 1 < p_attempts THEN NULL ELSE now() END
    WHERE track_id = p_track AND generation = p_generation AND state = 'queued' AND attempt < p_attempts
    RETURNING track_id, state
  ), track AS (
    UPDATE tracks t SET state = 'failed', updated_at = now()
    FROM job WHERE t.id = job.track_id AND job.state = 'failed' AND t.state = 'processing')
  SELECT state FROM job
$$;
