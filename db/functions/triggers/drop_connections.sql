-- Deletes a leaving user's connections at once, because they hold tokens. The rest is erased later.
CREATE OR REPLACE FUNCTION drop_connections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM connections WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER leavers_are_disconnected AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION drop_connections();
