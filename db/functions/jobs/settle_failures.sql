-- Queues failed jobs again if that may help, after 5 s, 20 s, 80 s and so on; otherwise fails their tracks. The caller has
-- locked the jobs. Up to a fifth is added at random, so that jobs that failed together come apart. A full disk counts as no
-- attempt, because attempts do not make room: such a job waits half a minute, and the cron then sends it.
CREATE OR REPLACE FUNCTION settle_failures(
  p_tracks bigint[], p_reason text, p_retryable boolean, p_detail text, p_attempts integer
) RETURNS json LANGUAGE sql AS $$
  WITH failed AS (
    SELECT track_id, is_full, p_retryable AND (is_full OR attempt < p_attempts) AS goes_on,
      CASE WHEN is_full THEN 30 ELSE 5 * 4 ^ (greatest(attempt, 1) - 1) END AS wait_s
    FROM encoding_jobs, (SELECT p_retryable AND p_reason = 'no_space' AS is_full) r
    WHERE track_id = ANY (p_tracks)
  ), job AS (
    UPDATE encoding_jobs j
    SET state = CASE WHEN goes_on THEN 'queued' ELSE 'failed' END,
      attempt = CASE WHEN is_full THEN greatest(attempt - 1, 0) ELSE attempt END,
      next_run_at = now() + make_interval(secs => wait_s * (1 + random() / 5)),
      dispatched_at = NULL, lease_token = CASE WHEN lease_until > now() THEN lease_token END, lease_until = NULL,
      failure_reason = p_reason, failure_retryable = p_retryable, failure_detail = p_detail,
      finished_at = CASE WHEN goes_on THEN NULL ELSE now() END
    FROM failed f WHERE j.track_id = f.track_id RETURNING j.track_id, j.state
  ), track AS (
    UPDATE tracks t SET state = 'failed', updated_at = now()
    FROM job WHERE t.id = job.track_id AND job.state = 'failed' AND t.state = 'processing')
  SELECT coalesce(json_agg(json_build_object('track', track_id, 'state', state)), '[]') FROM job
$$;
