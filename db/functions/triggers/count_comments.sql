-- Keeps comment counts equal to the rows, whatever adds or deletes them. Tracks count those of users who are there. A track
-- deleted with its comments gets no delta.
CREATE OR REPLACE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'comment_count', CASE TG_OP WHEN 'INSERT' THEN c.comments ELSE -c.comments END
  FROM (SELECT c.track_id, count(*) AS comments FROM changed c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
    GROUP BY c.track_id) c JOIN tracks t ON t.id = c.track_id
  UNION ALL
  SELECT 'user', c.user_id, 'comments_count', CASE TG_OP WHEN 'INSERT' THEN c.comments ELSE -c.comments END
  FROM (SELECT user_id, count(*) AS comments FROM changed GROUP BY user_id) c;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER comments_are_counted AFTER INSERT ON comments
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_comments();
CREATE OR REPLACE TRIGGER deleted_comments_are_counted AFTER DELETE ON comments
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_comments();
