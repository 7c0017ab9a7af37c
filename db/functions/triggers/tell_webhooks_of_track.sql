-- Creates webhook deliveries of an encode's end. Locks the webhooks by the key, or a concurrent deletion would leave
-- deliveries without one.
CREATE OR REPLACE FUNCTION tell_webhooks_of_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, data)
  SELECT w.id, 'track.' || new.state, jsonb_build_object('track', event_track(new), 'reason',
    CASE new.state WHEN 'failed' THEN (SELECT j.failure_reason FROM encoding_jobs j WHERE j.track_id = new.id) END)
  FROM webhooks w WHERE w.user_id = new.user_id AND w.enabled AND 'track.' || new.state = ANY (w.events)
  FOR KEY SHARE OF w;
  INSERT INTO stream_events (user_id, event, data)
  SELECT new.user_id, 'track.' || new.state, jsonb_build_object('track', event_track(new), 'reason',
    CASE new.state WHEN 'failed' THEN (SELECT j.failure_reason FROM encoding_jobs j WHERE j.track_id = new.id) END)
  WHERE is_listening(new.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER UPDATE OF state ON tracks FOR EACH ROW
WHEN (old.state = 'processing' AND new.state IN ('finished', 'failed')) EXECUTE FUNCTION tell_webhooks_of_track();
