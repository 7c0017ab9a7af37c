-- Deletes the activities of deleted favorites, comments and users. A favorite or comment and its activities were written in one
-- transaction, so both are visible here.
CREATE OR REPLACE FUNCTION forget_activities() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'favorites' THEN
      DELETE FROM activities a USING changed c WHERE a.actor_id = c.user_id AND a.favored_track_id = c.track_id;
    WHEN 'comments' THEN
      DELETE FROM activities a USING changed c WHERE a.comment_id = c.id;
    WHEN 'users' THEN
      DELETE FROM activities a USING changed c WHERE a.user_id = c.id;
  END CASE;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER gone_favorites_are_forgotten AFTER DELETE ON favorites REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_activities();
CREATE OR REPLACE TRIGGER gone_comments_are_forgotten AFTER DELETE ON comments REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_activities();
CREATE OR REPLACE TRIGGER activities_of_gone_user_go AFTER DELETE ON users REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_activities();
