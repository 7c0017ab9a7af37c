-- Tells of an encode's end.
CREATE OR REPLACE FUNCTION tell_webhooks_of_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_told(new.user_id) THEN
    PERFORM tell_webhooks(new.user_id, 'track.' || new.state, NULL, jsonb_build_object('track', event_track(new), 'reason',
      CASE new.state WHEN 'failed' THEN (SELECT j.failure_reason FROM encoding_jobs j WHERE j.track_id = new.id) END));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER UPDATE OF state ON tracks FOR EACH ROW
WHEN (old.state = 'processing' AND new.state IN ('finished', 'failed')) EXECUTE FUNCTION tell_webhooks_of_track();
