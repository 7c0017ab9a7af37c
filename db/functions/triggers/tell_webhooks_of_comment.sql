-- Creates webhook deliveries and stream events of a comment, unless it is on the author's own track.
CREATE OR REPLACE FUNCTION tell_webhooks_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, data)
  SELECT w.id, 'comment.created', jsonb_build_object('track', event_track(t), 'user', mini_user(new.user_id),
    'comment', jsonb_build_object('id', new.id, 'body', new.body, 'timestamp_ms', new.timestamp_ms))
  FROM tracks t JOIN webhooks w ON w.user_id = t.user_id
  WHERE t.id = new.track_id AND t.user_id <> new.user_id AND w.enabled AND 'comment.created' = ANY (w.events)
  FOR KEY SHARE OF w;
  INSERT INTO stream_events (user_id, event, data)
  SELECT t.user_id, 'comment.created', jsonb_build_object('track', event_track(t), 'user', mini_user(new.user_id),
    'comment', jsonb_build_object('id', new.id, 'body', new.body, 'timestamp_ms', new.timestamp_ms))
  FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id AND is_listening(t.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_comment();
