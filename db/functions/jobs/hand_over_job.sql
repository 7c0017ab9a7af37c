-- Leases the next job to an instance whose job has ended, or returns null. After a lost reply the same call returns the same
-- job. An instance that reports is up, so it no longer rests.
CREATE OR REPLACE FUNCTION hand_over_job(p_lease text, p_transcoder text, p_transcoders integer, p_lease_s integer)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  offered jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('transcoders'));
  SELECT jsonb_build_object('track', j.track_id, 'attempt', j.attempt, 'lease', p_lease, 'transcoder', p_transcoder,
    'source_bytes', t.original_content_size, 'traceparent', j.traceparent) INTO offered
  FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id
  WHERE j.state = 'leased' AND j.transcoder = p_transcoder AND j.lease_token = p_lease::uuid;
  IF FOUND THEN
    RETURN offered;
  END IF;
  UPDATE transcoders SET seen_at = now(), rests_until = NULL, is_starting = false WHERE name = p_transcoder;
  IF NOT EXISTS (SELECT FROM pool_room(p_transcoders) WHERE name = p_transcoder AND room > 0) THEN
    RETURN NULL;
  END IF;
  RETURN lease_next_job(p_lease::uuid, p_transcoder, p_transcoders, p_lease_s);
END $$;
