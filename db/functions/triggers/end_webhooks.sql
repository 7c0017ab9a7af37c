-- Disables the webhooks of a disabled app or user. Events they miss are not kept. The argument is the column that names it.
CREATE OR REPLACE FUNCTION end_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE webhooks SET enabled = false, disabled_reason = ''access_ended'', updated_at = now()
    WHERE %I = $1 AND enabled', TG_ARGV[0]) USING new.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_of_disabled_app_end AFTER UPDATE OF disabled_at ON apps FOR EACH ROW
WHEN (old.disabled_at IS NULL AND new.disabled_at IS NOT NULL) EXECUTE FUNCTION end_webhooks('app_id');
CREATE OR REPLACE TRIGGER webhooks_of_disabled_user_end AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN (old.disabled_at IS NULL AND new.disabled_at IS NOT NULL) EXECUTE FUNCTION end_webhooks('user_id');
