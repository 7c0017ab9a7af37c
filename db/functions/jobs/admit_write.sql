-- Permits a write and returns the source's size in bytes; null if the lease is lost. From the first write the prefix is
-- garbage, unless the attempt finishes. The job's lock waits for its end: a late write would list the media of a finished
-- track for good.
CREATE OR REPLACE FUNCTION admit_write(p_track bigint, p_lease uuid, p_prefix text) RETURNS double precision LANGUAGE sql AS $$
  WITH leased AS (
    SELECT t.original_content_size FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id
    WHERE j.track_id = p_track AND j.lease_token = p_lease AND j.state = 'leased' AND j.lease_until > now()
    FOR KEY SHARE OF j
  ), garbage AS (
    INSERT INTO object_garbage (prefix, bucket, due_at) SELECT p_prefix, 'media', now() + interval '48 hours' FROM leased
    WHERE NOT EXISTS (SELECT FROM object_garbage WHERE prefix = p_prefix) ON CONFLICT DO NOTHING)
  SELECT original_content_size::double precision FROM leased
$$;
