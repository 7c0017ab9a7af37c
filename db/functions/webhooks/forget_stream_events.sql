-- Deletes events older than a day, and the logs of users who opened no stream for a day.
CREATE OR REPLACE FUNCTION forget_stream_events(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH forgotten AS (
    DELETE FROM stream_events WHERE id IN (
      SELECT id FROM stream_events
      WHERE id < first_id_at(now() - interval '1 day')
      ORDER BY id LIMIT p_limit FOR UPDATE SKIP LOCKED)
    RETURNING 1),
  closed AS (
    DELETE FROM event_streams WHERE opened_at < now() - interval '1 day' RETURNING 1)
  SELECT (SELECT count(*) FROM forgotten)::integer + (SELECT count(*) FROM closed)::integer
$$;
