CREATE OR REPLACE FUNCTION tell_webhooks_of_follower() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_told(new.followee_id) THEN
    PERFORM tell_webhooks(new.followee_id, 'follow.created', 'by ' || new.user_id,
      jsonb_build_object('user', mini_user(new.user_id)));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON followings FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_follower();
