-- Leases the waiting job whose turn it is to an instance, or returns null. Long jobs, above 100 MB, never take the pool's last
-- slot. The caller holds the pool's lock. Uses the current time, because a job may have arrived while the caller waited for the
-- lock.
CREATE OR REPLACE FUNCTION lease_next_job(p_lease uuid, p_transcoder text, p_transcoders integer, p_lease_s integer)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  long_bytes CONSTANT bigint := 100000000;
  may_be_long boolean;
  offered jsonb;
BEGIN
  SELECT count(*) < greatest(1, (
      SELECT sum(coalesce(t.slots, 1)) - 1
      FROM generate_series(0, p_transcoders - 1) n LEFT JOIN transcoders t ON t.name = 'pool-' || n))
    INTO may_be_long
  FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id
  WHERE j.state = 'leased' AND j.lease_until > now() AND t.original_content_size > long_bytes;
  UPDATE encoding_jobs j
  SET state = 'leased', attempt = j.attempt + 1, lease_token = p_lease, transcoder = p_transcoder,
    lease_until = clock_timestamp() + make_interval(secs => p_lease_s), progress = 0, segments_ready = 0, sample_rate = NULL,
    started_at = coalesce(j.started_at, now())
  FROM (
    SELECT q.track_id, t.original_content_size FROM encoding_jobs q JOIN tracks t ON t.id = q.track_id
    WHERE q.state = 'queued' AND q.next_run_at <= clock_timestamp()
      AND (may_be_long OR t.original_content_size <= long_bytes)
    ORDER BY q.turn LIMIT 1 FOR UPDATE OF q SKIP LOCKED) n
  WHERE j.track_id = n.track_id
  RETURNING jsonb_build_object('track', j.track_id, 'attempt', j.attempt, 'lease', p_lease, 'transcoder', p_transcoder,
    'source_bytes', n.original_content_size, 'traceparent', j.traceparent) INTO offered;
  RETURN offered;
END $$;
