-- Leases waiting jobs to instances with room, as long as there are leases. Does nothing unless one of `p_jobs` waits (null:
-- any). The lock orders it with `hand_over_job`; else a job's end and a new job could miss each other.
CREATE OR REPLACE FUNCTION lease_jobs(p_jobs jsonb, p_leases text[], p_transcoders integer, p_lease_s integer)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  leased jsonb := '[]';
  offered jsonb;
  lease text;
  found_room record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('transcoders'));
  IF p_jobs IS NOT NULL AND NOT EXISTS (
    SELECT FROM jsonb_to_recordset(p_jobs) AS p (track bigint, generation integer)
    JOIN encoding_jobs j ON j.track_id = p.track AND j.generation = p.generation
    WHERE j.state = 'queued' AND j.next_run_at <= clock_timestamp()) THEN
    RETURN leased;
  END IF;
  FOREACH lease IN ARRAY p_leases LOOP
    SELECT * INTO found_room FROM pool_room(p_transcoders) WHERE room > 0 ORDER BY is_warm DESC, place LIMIT 1;
    -- Starts no second cold instance for jobs that a starting one will take.
    EXIT WHEN NOT FOUND OR NOT found_room.is_warm AND (
      SELECT count(*) <= s.slots FROM (
        SELECT coalesce(sum(slots), 0) FROM transcoders WHERE is_starting AND rests_until > now()) s (slots),
      LATERAL (
        SELECT FROM encoding_jobs WHERE state = 'queued' AND next_run_at <= clock_timestamp() LIMIT s.slots + 1) w
      GROUP BY s.slots);
    offered := lease_next_job(lease::uuid, found_room.name, p_transcoders, p_lease_s);
    EXIT WHEN offered IS NULL;
    leased := leased || (offered || jsonb_build_object('slots', found_room.slots, 'is_warm', found_room.is_warm));
  END LOOP;
  RETURN leased;
END $$;
