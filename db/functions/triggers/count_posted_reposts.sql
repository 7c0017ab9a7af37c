-- Counts the reposts of a user that everybody sees. Their posts come and go with what is hidden, shown, suspended or deleted.
CREATE OR REPLACE FUNCTION count_posted_reposts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', c.user_id, 'reposts_count', CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed c WHERE c.kind IN ('track-repost', 'playlist-repost') GROUP BY c.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER posted_reposts_are_counted AFTER INSERT ON posts REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_posted_reposts();
CREATE OR REPLACE TRIGGER withdrawn_reposts_are_counted AFTER DELETE ON posts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_posted_reposts();
