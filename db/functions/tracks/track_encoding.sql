-- Returns the state of a track's encode, for its owner only.
CREATE OR REPLACE FUNCTION track_encoding(t tracks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT j.progress, j.segments_ready, j.failure_reason, j.failure_retryable, coalesce(t.media->'warnings', '[]') AS warnings,
      j.attempt, j.started_at, j.finished_at
    FROM encoding_jobs j WHERE j.track_id = t.id) r
$$;
