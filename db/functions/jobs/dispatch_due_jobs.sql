-- Marks due jobs as sent and returns them, as many as there is room for: without room they wait, and the end of another job
-- finds them. A second cron finds nothing to do.
CREATE OR REPLACE FUNCTION dispatch_due_jobs(p_transcoders integer, p_limit integer, p_resend_after_s integer)
RETURNS json LANGUAGE sql AS $$
  WITH sent AS (
    UPDATE encoding_jobs SET dispatched_at = clock_timestamp()
    WHERE track_id IN (
      SELECT track_id FROM encoding_jobs
      WHERE (SELECT pg_try_advisory_xact_lock(hashtext('encoding_jobs dispatch'))) AND state = 'queued' AND next_run_at <= now()
        AND (dispatched_at < now() - make_interval(secs => p_resend_after_s)) IS NOT FALSE
      ORDER BY turn
      LIMIT least(p_limit, (SELECT coalesce(sum(greatest(room, 0)), 0) FROM pool_room(p_transcoders)))
      FOR UPDATE SKIP LOCKED)
    RETURNING track_id, generation)
  SELECT coalesce(json_agg(json_build_object('track', track_id, 'generation', generation)), '[]') FROM sent
$$;
