-- Creates deliveries of an event to a user's webhooks, and logs it for the user's streams, all under one id. An event with a
-- subject is reported once. Locks the webhooks by the key, because a concurrent deletion would leave deliveries without one, and
-- the streams' log, which the sweep may close.
CREATE OR REPLACE FUNCTION tell_webhooks(p_user bigint, p_event text, p_subject text, p_data jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  e CONSTANT bigint := next_id();
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event_id, event, subject, data)
  SELECT w.id, e, p_event, p_subject, p_data FROM webhooks w
  WHERE w.user_id = p_user AND w.enabled AND p_event = ANY (w.events)
  FOR KEY SHARE OF w
  ON CONFLICT (webhook_id, event, subject) DO NOTHING;
  INSERT INTO stream_events (id, user_id, event, subject, data)
  SELECT e, p_user, p_event, p_subject, p_data FROM event_streams
  WHERE user_id = p_user AND opened_at > now() - interval '1 day' FOR KEY SHARE
  ON CONFLICT (user_id, event, subject) DO NOTHING;
END $$;
