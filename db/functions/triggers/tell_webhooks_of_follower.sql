CREATE OR REPLACE FUNCTION tell_webhooks_of_follower() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, subject, data)
  SELECT w.id, 'follow.created', 'by ' || new.user_id, jsonb_build_object('user', mini_user(new.user_id))
  FROM webhooks w WHERE w.user_id = new.followee_id AND w.enabled AND 'follow.created' = ANY (w.events)
  FOR KEY SHARE OF w
  ON CONFLICT (webhook_id, event, subject) DO NOTHING;
  INSERT INTO stream_events (user_id, event, subject, data)
  SELECT new.followee_id, 'follow.created', 'by ' || new.user_id, jsonb_build_object('user', mini_user(new.user_id))
  WHERE is_listening(new.followee_id)
  ON CONFLICT (user_id, event, subject) DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON followings FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_follower();
