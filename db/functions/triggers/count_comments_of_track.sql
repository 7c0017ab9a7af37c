-- Moves the comments of a track between the counters of their authors, or takes them off, as the track is published, hidden,
-- revealed or deleted. The lock makes a comment of the same moment count once.
CREATE OR REPLACE FUNCTION count_comments_of_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users o WHERE o.id = old.user_id AND o.disabled_at IS NULL) THEN
    PERFORM FROM tracks WHERE id = old.id FOR UPDATE;
    INSERT INTO counter_deltas (kind, subject_id, counter, delta)
    SELECT 'user', c.user_id, s.counter, s.step * count(*)
    FROM comments c, (
      SELECT CASE WHEN old.reveal_comments THEN 'comments_count' ELSE 'quiet_comments_count' END AS counter, -1 AS step
      WHERE old.sharing = 'public'
      UNION ALL
      SELECT CASE WHEN new.reveal_comments THEN 'comments_count' ELSE 'quiet_comments_count' END, 1
      WHERE TG_OP = 'UPDATE' AND new.sharing = 'public') s
    WHERE c.track_id = old.id
    GROUP BY c.user_id, s.counter, s.step;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN old ELSE new END;
END $$;

CREATE OR REPLACE TRIGGER comments_of_changed_track_are_counted BEFORE UPDATE OF sharing, reveal_comments ON tracks FOR EACH ROW
WHEN (old.sharing <> new.sharing OR old.reveal_comments <> new.reveal_comments) EXECUTE FUNCTION count_comments_of_track();
CREATE OR REPLACE TRIGGER comments_of_deleted_track_are_counted BEFORE DELETE ON tracks FOR EACH ROW
WHEN (old.sharing = 'public') EXECUTE FUNCTION count_comments_of_track();
