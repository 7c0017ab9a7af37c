-- Posts a new repost, and deletes the posts of deleted ones. The argument is the kind of the subject. Both tables of reposts have
-- the same columns but for one name.
CREATE OR REPLACE FUNCTION post_repost() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  posted_as CONSTANT text := TG_ARGV[0] || '-repost';
  subject bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM posts p USING changed AS c (id, user_id, subject_id)
    WHERE p.subject_id = c.subject_id AND p.kind = posted_as AND p.user_id = c.user_id;
  ELSE
    subject := to_jsonb(new)->>(TG_ARGV[0] || '_id');
    EXECUTE format('SELECT FROM %I WHERE id = $1 FOR KEY SHARE', TG_ARGV[0] || 's') USING subject;
    INSERT INTO posts (id, kind, user_id, subject_id)
    SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p
    WHERE p.subject_id = subject AND p.kind = posted_as AND p.user_id = new.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reposts_are_posted AFTER INSERT ON reposts FOR EACH ROW EXECUTE FUNCTION post_repost('track');
CREATE OR REPLACE TRIGGER reposts_are_posted AFTER INSERT ON playlist_reposts FOR EACH ROW EXECUTE FUNCTION post_repost('playlist');
CREATE OR REPLACE TRIGGER gone_reposts_are_not_posted AFTER DELETE ON reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION post_repost('track');
CREATE OR REPLACE TRIGGER gone_reposts_are_not_posted AFTER DELETE ON playlist_reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION post_repost('playlist');
