-- Fails the pending deliveries of a disabled webhook. Only a replay sends them afterwards.
CREATE OR REPLACE FUNCTION drop_pending_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt = NULL
  WHERE webhook_id = new.id AND state = 'pending';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER pending_deliveries_are_dropped AFTER UPDATE OF enabled ON webhooks FOR EACH ROW
WHEN (old.enabled AND NOT new.enabled) EXECUTE FUNCTION drop_pending_deliveries();
