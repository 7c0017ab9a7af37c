-- Finishes job and track and keeps the media; fails both if the track is longer than its owner's quota leaves. False if
-- the lease is lost. Keeps chapters of the file for a track that has none. Repeating it changes nothing and returns true.
CREATE OR REPLACE FUNCTION finish_job(
  p_track bigint, p_lease uuid, p_duration_ms bigint, p_format text, p_prefix text, p_media jsonb, p_segments integer,
  p_chapters jsonb DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  job encoding_jobs;
  owner bigint;
  most_seconds bigint;
BEGIN
  SELECT * INTO job FROM encoding_jobs j
  WHERE j.track_id = p_track AND j.lease_token = p_lease AND (j.state = 'leased' AND j.lease_until > now() OR j.state = 'done')
  FOR UPDATE;
  IF NOT FOUND OR job.state = 'done' THEN
    RETURN job.state IS NOT NULL;
  END IF;
  SELECT t.user_id, (quota_limits(t.user_id)).seconds INTO owner, most_seconds FROM tracks t WHERE t.id = p_track;
  IF most_seconds IS NOT NULL THEN
    -- The length was unknown at upload. The lock lets two encodes that end together count each other.
    PERFORM pg_advisory_xact_lock(hashtext('open_upload'), hashint8(owner));
    IF p_duration_ms + (SELECT coalesce(sum(duration_ms), 0) FROM tracks WHERE user_id = owner AND id <> p_track)
      > most_seconds * 1000 THEN
      -- No attempt is left, so the track fails. Its owner may try again, with room made. The sweep deletes the media.
      PERFORM settle_failures(ARRAY[p_track], 'over_quota', true, NULL, 0);
      RETURN true;
    END IF;
  END IF;
  UPDATE encoding_jobs SET state = 'done', progress = 1, segments_ready = p_segments, finished_at = now(),
    failure_reason = NULL, failure_retryable = NULL, failure_detail = NULL
  WHERE track_id = p_track;
  UPDATE tracks SET state = 'finished', duration_ms = p_duration_ms, original_format = p_format, media_prefix = p_prefix,
    media = p_media, updated_at = now()
  WHERE id = p_track AND state = 'processing';
  DELETE FROM object_garbage WHERE prefix = p_prefix;
  -- Those that the owner uploaded meanwhile stay.
  IF p_chapters IS NOT NULL THEN
    INSERT INTO chapters (track_id, chapters, source) VALUES (p_track, p_chapters, 'file') ON CONFLICT DO NOTHING;
    INSERT INTO chapter_pictures (version, track_id) SELECT DISTINCT c->>'picture', p_track
    FROM chapters h, jsonb_array_elements(h.chapters) c WHERE h.track_id = p_track AND h.source = 'file' AND c ? 'picture'
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN true;
END $$;
