-- Numbers an event at its commit. The lock on the user's log orders commits, so nobody reads a number before a smaller one, however
-- long transactions take. A number is a time, so that a restored log gives none a second time. It is the event's id from then on,
-- in its deliveries too: their ids are at most a second before the event's first one, when the sequence has begun anew.
CREATE OR REPLACE FUNCTION number_stream_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  latest bigint;
BEGIN
  SELECT last INTO latest FROM event_streams WHERE user_id = new.user_id FOR NO KEY UPDATE;
  UPDATE stream_events SET previous = latest, number = greatest(latest + 1, next_id()) WHERE id = new.id
  RETURNING number INTO latest;
  UPDATE event_streams SET last = latest WHERE user_id = new.user_id AND latest IS NOT NULL;
  UPDATE webhook_deliveries SET event_id = latest
  WHERE webhook_id IN (SELECT id FROM webhooks WHERE user_id = new.user_id) AND id > new.id - (1000 << 12) AND event_id = new.id
    AND latest IS NOT NULL;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS events_are_numbered ON stream_events;
CREATE CONSTRAINT TRIGGER events_are_numbered AFTER INSERT ON stream_events DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION number_stream_event();
