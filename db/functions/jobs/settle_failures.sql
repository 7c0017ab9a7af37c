-- Queues failed jobs again if that may help, after 5 s, 20 s, 80 s and so on; else fails their tracks. The caller locked
-- them. Up to a fifth more at random separates jobs that failed together.
CREATE OR REPLACE FUNCTION settle_failures(
  p_tracks bigint[], p_reason text, p_retryable boolean, p_detail text, p_attempts integer
) RETURNS json LANGUAGE sql AS $$
  WITH job AS (
    UPDATE encoding_jobs
    SET state = CASE WHEN p_retryable AND attempt < p_attempts THEN 'queued' ELSE 'failed' END,
      next_run_at = now() + make_interval(secs => 5 * 4 ^ (greatest(attempt, 1) - 1) * (1 + random() / 5)),
      dispatched_at = NULL, lease_token = CASE WHEN lease_until > now() THEN lease_token END, lease_until = NULL,
      failure_reason = p_reason, failure_retryable = p_retryable, failure_detail = p_detail,
      finished_at = CASE WHEN p_retryable AND attempt < p_attempts THEN NULL ELSE now() END
    WHERE track_id = ANY (p_tracks) RETURNING track_id, state
  ), track AS (
    UPDATE tracks t SET state = 'failed', updated_at = now()
    FROM job WHERE t.id = job.track_id AND job.state = 'failed' AND t.state = 'processing')
  SELECT coalesce(json_agg(json_build_object('track', track_id, 'state', state)), '[]') FROM job
$$;
