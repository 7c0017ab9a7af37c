-- Returns an encoding job as operators see one.
CREATE OR REPLACE FUNCTION job_for_operators(j encoding_jobs) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT to_jsonb(r) FROM (
    SELECT j.track_id AS track, t.title, u.permalink || '/' || t.permalink AS path, u.id AS user_id, u.permalink AS "user",
      t.original_content_size AS bytes, j.state, j.attempt AS attempts, j.failure_reason, j.failure_detail, j.transcoder,
      j.progress, j.created_at, j.next_run_at, j.started_at, j.finished_at
    FROM tracks t JOIN users u ON u.id = t.user_id WHERE t.id = j.track_id) r
$$;
