-- Keeps comment counts equal to the rows, whatever adds or deletes them. Tracks count those of users who are there. Users count
-- theirs on public tracks: what everybody sees apart from what only they and the track's owner see. A track deleted with its
-- comments gets no delta: `count_comments_of_track` has counted.
CREATE OR REPLACE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  PERFORM FROM tracks t WHERE t.id IN (SELECT track_id FROM changed) ORDER BY t.id FOR KEY SHARE;
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'comment_count', CASE TG_OP WHEN 'INSERT' THEN c.comments ELSE -c.comments END
  FROM (SELECT c.track_id, count(*) AS comments FROM changed c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
    GROUP BY c.track_id) c JOIN tracks t ON t.id = c.track_id
  UNION ALL
  SELECT 'user', c.user_id, c.counter, CASE TG_OP WHEN 'INSERT' THEN c.comments ELSE -c.comments END
  FROM (SELECT c.user_id, CASE WHEN t.reveal_comments THEN 'comments_count' ELSE 'quiet_comments_count' END AS counter,
      count(*) AS comments
    FROM changed c JOIN tracks t ON t.id = c.track_id JOIN users o ON o.id = t.user_id
    WHERE t.sharing = 'public' AND o.disabled_at IS NULL GROUP BY 1, 2) c;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER comments_are_counted AFTER INSERT ON comments
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_comments();
CREATE OR REPLACE TRIGGER deleted_comments_are_counted AFTER DELETE ON comments
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_comments();
