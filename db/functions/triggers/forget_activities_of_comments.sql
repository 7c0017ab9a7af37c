CREATE OR REPLACE FUNCTION forget_activities_of_comments() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM activities a USING changed c WHERE a.comment_id = c.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER gone_comments_are_forgotten AFTER DELETE ON comments REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_activities_of_comments();
