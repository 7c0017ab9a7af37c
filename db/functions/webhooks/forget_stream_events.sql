-- Deletes some events older than a day, and some of users who opened no stream for a day, whose log goes with its last event:
-- it may have a million. Arrays and limits keep the planner from joins, which would read the events of all logs.
CREATE OR REPLACE FUNCTION forget_stream_events(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH old AS (
    SELECT id FROM stream_events WHERE id < ((extract(epoch FROM now() - interval '1 day') * 1000)::bigint - 1704067200000) << 12
    ORDER BY id LIMIT p_limit FOR UPDATE SKIP LOCKED
  ), idle AS MATERIALIZED (
    SELECT user_id FROM event_streams WHERE opened_at < now() - interval '1 day' LIMIT p_limit
  ), unread AS (
    SELECT e.id FROM idle i, LATERAL (
      SELECT e.id FROM stream_events e WHERE e.user_id = i.user_id LIMIT p_limit FOR UPDATE SKIP LOCKED) e
    LIMIT p_limit
  ), forgotten AS (
    DELETE FROM stream_events WHERE id = ANY (ARRAY(SELECT id FROM old UNION SELECT id FROM unread)) RETURNING id
  ), closed AS (
    DELETE FROM event_streams s
    WHERE s.opened_at < now() - interval '1 day' AND s.user_id = ANY (ARRAY(
      SELECT i.user_id FROM idle i WHERE (
        SELECT true FROM stream_events e WHERE e.user_id = i.user_id AND e.id NOT IN (SELECT id FROM forgotten) LIMIT 1) IS NULL))
    RETURNING 1)
  SELECT (SELECT count(*) FROM forgotten)::integer + (SELECT count(*) FROM closed)::integer
$$;
