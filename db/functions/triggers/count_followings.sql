-- Keeps counts equal to the rows, even if they are deleted with an erased user.
CREATE OR REPLACE FUNCTION count_followings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', user_id, 'followings_count', step * count(*) FROM changed GROUP BY user_id
  UNION ALL
  SELECT 'user', followee_id, 'followers_count', step * count(*) FROM changed GROUP BY followee_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_followings_are_counted AFTER INSERT ON followings REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_followings();
CREATE OR REPLACE TRIGGER gone_followings_are_counted AFTER DELETE ON followings REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_followings();
