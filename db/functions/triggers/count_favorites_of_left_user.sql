-- Takes the tracks of a user who leaves off the counters of those who like them or commented there, or adds those of one who
-- returns. One delta for each, however many of the tracks they like: a label's are liked a million times by fewer people.
-- `hold_leaving_user` has locked the tracks.
CREATE OR REPLACE FUNCTION count_favorites_of_left_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', f.user_id, 'public_favorites_count', CASE WHEN new.disabled_at IS NULL THEN count(*) ELSE -count(*) END
  FROM tracks t JOIN favorites f ON f.track_id = t.id
  WHERE t.user_id = new.id AND t.sharing = 'public' AND t.state <> 'failed'
  GROUP BY f.user_id
  UNION ALL
  SELECT 'user', c.user_id, CASE WHEN t.reveal_comments THEN 'comments_count' ELSE 'quiet_comments_count' END,
    CASE WHEN new.disabled_at IS NULL THEN count(*) ELSE -count(*) END
  FROM tracks t JOIN comments c ON c.track_id = t.id
  WHERE t.user_id = new.id AND t.sharing = 'public'
  GROUP BY c.user_id, t.reveal_comments;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER favorites_of_left_user_are_counted AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION count_favorites_of_left_user();
