-- Disables the webhooks of a disabled app. Events it misses are not kept.
CREATE OR REPLACE FUNCTION end_webhooks_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhooks SET enabled = false, disabled_reason = 'access_ended', updated_at = now() WHERE app_id = new.id AND enabled;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_of_disabled_app_end AFTER UPDATE OF disabled_at ON apps FOR EACH ROW
WHEN (old.disabled_at IS NULL AND new.disabled_at IS NOT NULL) EXECUTE FUNCTION end_webhooks_of_app();
