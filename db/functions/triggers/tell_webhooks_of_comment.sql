-- Users are not told of their own comments.
CREATE OR REPLACE FUNCTION tell_webhooks_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_webhooks(t.user_id, 'comment.created', NULL, jsonb_build_object('track', event_track(t),
    'user', mini_user(new.user_id),
    'comment', jsonb_build_object('id', new.id, 'body', new.body, 'timestamp_ms', new.timestamp_ms)))
  FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id AND is_told(t.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_comment();
