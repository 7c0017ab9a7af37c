-- Retries or drops an encoding job. A retry queues a failed job anew, or lets a waiting one run now; the cron sends it.
-- A dropped job has failed for good: reports of a running attempt are ignored, and its track has failed.
CREATE OR REPLACE FUNCTION act_on_job(p_by jsonb, p_act text, p_track bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  before encoding_jobs;
  t tracks;
BEGIN
  PERFORM require_operator(p_by);
  SELECT * INTO before FROM encoding_jobs WHERE track_id = p_track FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF before.state = 'done' THEN
    RETURN json_build_object('outcome', 'finished');
  ELSIF p_act = 'retry' AND before.state = 'leased' THEN
    RETURN json_build_object('outcome', 'running');
  ELSIF p_act = 'drop' AND before.state = 'failed' THEN
    RETURN json_build_object('outcome', 'failed');
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_track;
  IF p_act = 'retry' AND t.original_deleted_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'no_original');
  END IF;
  IF p_act = 'drop' THEN
    UPDATE encoding_jobs SET state = 'failed', lease_token = NULL, lease_until = NULL, failure_reason = 'dropped',
      failure_retryable = false, failure_detail = NULL, finished_at = now()
    WHERE track_id = p_track;
    UPDATE tracks SET state = 'failed', updated_at = now() WHERE id = p_track AND state = 'processing';
  ELSIF before.state = 'queued' THEN
    UPDATE encoding_jobs SET next_run_at = now(), dispatched_at = NULL WHERE track_id = p_track;
  ELSE
    UPDATE encoding_jobs SET state = 'queued', generation = generation + 1, attempt = 0, lease_token = NULL,
      lease_until = NULL, next_run_at = now(), dispatched_at = NULL, turn = job_turn(t), progress = 0, segments_ready = 0,
      failure_reason = NULL, failure_retryable = NULL, failure_detail = NULL, started_at = NULL, finished_at = NULL
    WHERE track_id = p_track;
    UPDATE tracks SET state = 'processing', updated_at = now() WHERE id = p_track AND state = 'failed';
  END IF;
  PERFORM note_act(p_by, 'job.' || p_act, 'track', p_track,
    (SELECT u.permalink || '/' || t.permalink FROM users u WHERE u.id = t.user_id),
    jsonb_build_object('state', before.state, 'attempts', before.attempt, 'failure', before.failure_reason));
  RETURN json_build_object('outcome', 'done');
END $$;
