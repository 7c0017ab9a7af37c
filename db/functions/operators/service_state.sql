-- Counts what waits or runs and tells since when, in seconds. Each part reads an index that holds nothing else.
CREATE OR REPLACE FUNCTION service_state() RETURNS json LANGUAGE sql STABLE AS $$
  WITH waiting AS (
    SELECT count(*) AS jobs, min(greatest(next_run_at, created_at)) AS since FROM encoding_jobs
    WHERE state = 'queued' AND next_run_at <= now()
  ), running AS (
    SELECT count(*) AS jobs, min(started_at) AS since, count(*) FILTER (WHERE lease_until < now()) AS lost FROM encoding_jobs
    WHERE state = 'leased'
  ), deliveries AS (
    SELECT count(*) AS due, min(d.next_attempt_at) AS since FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.state = 'pending' AND d.next_attempt_at <= now() AND w.enabled AND NOT w.slow
  ), posts AS (
    SELECT count(*) AS due, min(due_at) AS since FROM connection_posts WHERE due_at <= now()
  ), letters AS (
    SELECT count(*) FILTER (WHERE state = 'waiting' AND next_attempt_at <= now()) AS due, count(*) FILTER (WHERE state = 'failed')
      AS failed, min(next_attempt_at) FILTER (WHERE state = 'waiting') AS since FROM mails
  ), garbage AS (
    SELECT count(*) AS due, min(due_at) AS since FROM object_garbage WHERE due_at <= now())
  SELECT json_build_object(
    'jobs_waiting', waiting.jobs, 'job_waits_s', seconds_since(waiting.since),
    'jobs_running', running.jobs, 'job_runs_s', seconds_since(running.since), 'jobs_lost', running.lost,
    'deliveries_due', deliveries.due, 'delivery_waits_s', seconds_since(deliveries.since),
    'posts_due', posts.due, 'post_waits_s', seconds_since(posts.since),
    'mails_due', letters.due, 'mail_waits_s', seconds_since(letters.since), 'mails_failed', letters.failed,
    'garbage_due', garbage.due, 'garbage_waits_s', seconds_since(garbage.since),
    'dead_letters', (SELECT count(*) FROM dead_letters WHERE retry_at IS NULL), 'reports_open', (SELECT count(*) FROM reports WHERE state = 'open'),
    'uploads_open', (SELECT count(*) FROM uploads WHERE status IN ('open', 'completing', 'ready')),
    'transcoders', (SELECT count(*) FROM transcoders WHERE seen_at > now() - interval '5 minutes'),
    'database_bytes', pg_database_size(current_database()))
  FROM waiting, running, deliveries, posts, letters, garbage
$$;
