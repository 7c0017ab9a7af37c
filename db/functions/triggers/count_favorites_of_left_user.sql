CREATE OR REPLACE FUNCTION count_favorites_of_left_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_favorites_of(t.id, CASE WHEN new.disabled_at IS NULL THEN 1 ELSE -1 END)
  FROM tracks t WHERE t.user_id = new.id AND t.sharing = 'public' AND t.state <> 'failed';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER favorites_of_left_user_are_counted AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION count_favorites_of_left_user();
