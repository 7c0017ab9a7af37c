-- Counts what waits for an operator, and tells when counters were compared last with their rows.
CREATE OR REPLACE FUNCTION count_operations() RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN json_build_object(
    'reports_open', (SELECT count(*) FROM reports WHERE state = 'open'),
    'jobs_failed', (SELECT count(*) FROM encoding_jobs WHERE state = 'failed'),
    'jobs_waiting', (SELECT count(*) FROM encoding_jobs WHERE state = 'queued'),
    'jobs_running', (SELECT count(*) FROM encoding_jobs WHERE state = 'leased'),
    'oldest_waiting_s', (SELECT extract(epoch FROM now() - min(created_at))::float8 FROM encoding_jobs WHERE state = 'queued'),
    'dead_letters', (SELECT count(*) FROM dead_letters),
    'mails_failed', (SELECT count(*) FROM mails WHERE state = 'failed'),
    'mails_waiting', (SELECT count(*) FROM mails WHERE state = 'waiting'),
    'deliveries_pending', (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending'),
    'deliveries_failed', (SELECT count(*) FROM webhook_deliveries WHERE state = 'failed'),
    'webhooks_disabled', (SELECT count(*) FROM webhooks WHERE disabled_reason IS NOT NULL),
    'recounts', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('kind', r.kind, 'checked', r.checked, 'repaired', r.repaired,
        'state', CASE WHEN r.after_id IS NOT NULL THEN 'running' WHEN isfinite(r.begun_at) THEN 'done' ELSE 'due' END,
        'begun_at', CASE WHEN isfinite(r.begun_at) THEN r.begun_at END) ORDER BY r.kind), '[]')
      FROM recounts r));
END $$;
