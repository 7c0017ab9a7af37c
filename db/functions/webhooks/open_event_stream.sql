-- Opens a stream, and begins or renews the log of the user's events. The newest `p_most` streams stay open. Returns the number
-- of the event after which the stream continues: `p_after`, the client's last event, or else the log's last. `gap` is true if
-- the log no longer holds the next event, or was restored and does not know `p_after`.
CREATE OR REPLACE FUNCTION open_event_stream(
  p_session bigint, p_client text, p_user bigint, p_after bigint, p_most integer, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  spent jsonb;
  stream CONSTANT bigint := next_id();
  log event_streams;
  next stream_events;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  INSERT INTO event_streams AS s (user_id, open) VALUES (p_user, ARRAY[stream])
  ON CONFLICT (user_id) DO UPDATE SET opened_at = now(),
    open = (s.open || stream)[greatest(cardinality(s.open) + 2 - p_most, 1):]
  RETURNING * INTO log;
  SELECT * INTO next FROM stream_events WHERE user_id = p_user AND number > p_after ORDER BY number LIMIT 1;
  RETURN json_build_object('outcome', 'open', 'spent', spent, 'stream', stream,
    'after', least(coalesce(p_after, log.last), log.last),
    'gap', p_after <> CASE WHEN next.id IS NULL THEN log.last ELSE coalesce(next.previous, 0) END);
END $$;
