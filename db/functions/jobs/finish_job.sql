-- Finishes job and track and keeps the media. False if the lease is lost. Repeating it changes nothing and returns true.
CREATE OR REPLACE FUNCTION finish_job(
  p_track bigint, p_lease uuid, p_duration_ms bigint, p_format text, p_prefix text, p_media jsonb, p_segments integer
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  held encoding_jobs;
BEGIN
  SELECT * INTO held FROM encoding_jobs j
  WHERE j.track_id = p_track AND j.lease_token = p_lease AND (j.state = 'leased' AND j.lease_until > now() OR j.state = 'done')
  FOR UPDATE;
  IF NOT FOUND OR held.state = 'done' THEN
    RETURN held.state IS NOT NULL;
  END IF;
  UPDATE encoding_jobs SET state = 'done', progress = 1, segments_ready = p_segments, finished_at = now(),
    failure_reason = NULL, failure_retryable = NULL, failure_detail = NULL
  WHERE track_id = p_track;
  UPDATE tracks SET state = 'finished', duration_ms = p_duration_ms, original_format = p_format, media_prefix = p_prefix,
    media = p_media, updated_at = now()
  WHERE id = p_track AND state = 'processing';
  DELETE FROM object_garbage WHERE prefix = p_prefix;
  RETURN true;
END $$;
