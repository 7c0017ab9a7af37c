-- Deletes the activities of deleted favorites. Both were written in one transaction, so both are visible here.
CREATE OR REPLACE FUNCTION forget_activities_of_favorites() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM activities a USING changed c WHERE a.actor_id = c.user_id AND a.favored_track_id = c.track_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER gone_favorites_are_forgotten AFTER DELETE ON favorites REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_activities_of_favorites();
