-- Requeues a track that failed for our reasons, under a new generation: reports of the old one are ignored. A guarded
-- update lets one of two requests win; the other finds the track in processing.
CREATE OR REPLACE FUNCTION retry_track(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  next_generation integer;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  UPDATE encoding_jobs j
  SET state = 'queued', generation = generation + 1, attempt = 0, lease_token = NULL, lease_until = NULL,
    next_run_at = now(), dispatched_at = now(), turn = job_turn(o), progress = 0, segments_ready = 0, failure_reason = NULL,
    failure_retryable = NULL, failure_detail = NULL, started_at = NULL, finished_at = NULL
  FROM tracks o
  WHERE j.track_id = p_id AND o.id = p_id AND o.user_id = p_user AND j.state = 'failed' AND j.failure_retryable
  RETURNING generation INTO next_generation;
  IF FOUND THEN
    UPDATE tracks SET state = 'processing', updated_at = now() WHERE id = p_id RETURNING * INTO t;
    RETURN json_build_object('outcome', 'done', 'generation', next_generation,
      'track', track_row(t, p_user, 'playable'));
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  RETURN json_build_object('outcome',
    CASE t.state WHEN 'failed' THEN 'not_retryable' ELSE 'not_failed' END);
END $$;
