-- Counts reposts for tracks, of users who are there. Skips tracks that are being deleted.
CREATE OR REPLACE FUNCTION count_track_reposts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'reposts_count', CASE TG_OP WHEN 'INSERT' THEN c.reposts ELSE -c.reposts END
  FROM (SELECT c.track_id, count(*) AS reposts FROM changed c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
    GROUP BY c.track_id) c JOIN tracks t ON t.id = c.track_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_reposts_are_counted AFTER INSERT ON reposts REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_track_reposts();
CREATE OR REPLACE TRIGGER gone_reposts_are_counted AFTER DELETE ON reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_track_reposts();
