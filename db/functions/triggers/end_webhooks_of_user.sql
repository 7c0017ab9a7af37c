-- Disables the webhooks of a disabled user.
CREATE OR REPLACE FUNCTION end_webhooks_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhooks SET enabled = false, disabled_reason = 'access_ended', updated_at = now() WHERE user_id = new.id AND enabled;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_of_disabled_user_end AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN (old.disabled_at IS NULL AND new.disabled_at IS NOT NULL) EXECUTE FUNCTION end_webhooks_of_user();
