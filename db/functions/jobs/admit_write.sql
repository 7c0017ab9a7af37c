-- Permits a write and returns the source's size in bytes; null if the lease is lost. From the first write the prefix is
-- garbage, unless the attempt finishes.
CREATE OR REPLACE FUNCTION admit_write(p_track bigint, p_lease uuid, p_prefix text) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
  source_bytes double precision;
BEGIN
  SELECT t.original_content_size INTO source_bytes FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id
  WHERE j.track_id = p_track AND j.lease_token = p_lease AND j.state = 'leased' AND j.lease_until > now();
  IF source_bytes IS NULL OR EXISTS (SELECT FROM object_garbage WHERE prefix = p_prefix) THEN
    RETURN source_bytes;
  END IF;
  -- Waits for the job's end, or the media of a finished track would be listed for good. Later writes need no lock.
  PERFORM FROM encoding_jobs WHERE track_id = p_track AND lease_token = p_lease AND state = 'leased' FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_prefix, 'media', now() + interval '48 hours') ON CONFLICT DO NOTHING;
  RETURN source_bytes;
END $$;
