-- Deletes the posts of deleted reposts. The trigger's argument is their kind; both tables of reposts have the same
-- columns but for one name.
CREATE OR REPLACE FUNCTION forget_posts_of_reposts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM posts p USING changed AS c (id, user_id, subject_id)
  WHERE p.subject_id = c.subject_id AND p.kind = TG_ARGV[0] AND p.user_id = c.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER gone_reposts_are_not_posted AFTER DELETE ON reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_posts_of_reposts('track-repost');
CREATE OR REPLACE TRIGGER gone_reposts_are_not_posted AFTER DELETE ON playlist_reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_posts_of_reposts('playlist-repost');
