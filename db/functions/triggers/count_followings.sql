-- Keeps counts equal to the rows, whatever deletes them. A user counts followers and followees who are there.
CREATE OR REPLACE FUNCTION count_followings() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', c.user_id, 'followings_count', step * count(*)
  FROM changed c JOIN users u ON u.id = c.followee_id AND u.disabled_at IS NULL GROUP BY c.user_id
  UNION ALL
  SELECT 'user', c.followee_id, 'followers_count', step * count(*)
  FROM changed c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL GROUP BY c.followee_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_followings_are_counted AFTER INSERT ON followings REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_followings();
CREATE OR REPLACE TRIGGER gone_followings_are_counted AFTER DELETE ON followings REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_followings();
