-- Creates deliveries of an event to a user's webhooks, and logs it for the user's streams. An event with a subject is reported
-- once. Locks the webhooks by the key, because a concurrent deletion would leave deliveries without one, and the streams' log,
-- which the sweep may close.
CREATE OR REPLACE FUNCTION tell_webhooks(p_user bigint, p_event text, p_subject text, p_data jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, subject, data)
  SELECT w.id, p_event, p_subject, p_data FROM webhooks w
  WHERE w.user_id = p_user AND w.enabled AND p_event = ANY (w.events)
  FOR KEY SHARE OF w
  ON CONFLICT (webhook_id, event, subject) DO NOTHING;
  INSERT INTO stream_events (user_id, event, subject, data)
  SELECT p_user, p_event, p_subject, p_data FROM event_streams
  WHERE user_id = p_user AND opened_at > now() - interval '1 day' FOR KEY SHARE
  ON CONFLICT (user_id, event, subject) DO NOTHING;
END $$;
