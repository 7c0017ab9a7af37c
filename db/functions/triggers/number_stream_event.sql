-- Numbers an event at its commit. The lock on the user's log orders commits, so nobody reads a number before a smaller one, however
-- long transactions take. A number is a time, so that a restored log gives none a second time.
CREATE OR REPLACE FUNCTION number_stream_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  latest bigint;
BEGIN
  SELECT last INTO latest FROM event_streams WHERE user_id = new.user_id FOR NO KEY UPDATE;
  UPDATE stream_events SET previous = latest, number = greatest(latest + 1, next_id()) WHERE id = new.id
  RETURNING number INTO latest;
  UPDATE event_streams SET last = latest WHERE user_id = new.user_id AND latest IS NOT NULL;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS events_are_numbered ON stream_events;
CREATE CONSTRAINT TRIGGER events_are_numbered AFTER INSERT ON stream_events DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION number_stream_event();
