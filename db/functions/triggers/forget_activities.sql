CREATE OR REPLACE FUNCTION forget_activities() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM activities a WHERE a.user_id = old.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER activities_of_gone_user_go AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_activities();
