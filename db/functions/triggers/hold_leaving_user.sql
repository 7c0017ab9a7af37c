-- Locks all rows that are hidden or shown with a user. Otherwise a track hidden meanwhile could be counted twice, a deleted one
-- could stay posted, or two returning users could deadlock. Other statements use this order too, and lock the user last, because
-- rows that refer to the user lock it by its key.
CREATE OR REPLACE FUNCTION hold_leaving_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM encoding_jobs j WHERE j.state = 'queued' AND j.track_id IN (SELECT t.id FROM tracks t WHERE t.user_id = old.id)
  ORDER BY j.track_id FOR UPDATE;
  PERFORM hold_posted(old.id);
  PERFORM FROM uploads WHERE user_id = old.id AND status IN ('open', 'completing', 'ready') ORDER BY id FOR UPDATE;
  PERFORM FROM authorization_codes WHERE user_id = old.id AND redeemed_at IS NULL AND expires_at > now() FOR UPDATE;
  PERFORM FROM users WHERE id = old.id FOR UPDATE;
  PERFORM hold_posted(old.id);
  RETURN new;
END $$;

CREATE OR REPLACE TRIGGER leaving_user_is_held BEFORE UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION hold_leaving_user();
