-- Subtracts the favorites, reposts, comments and followings of a user who leaves from all counters, or adds those of a user who
-- returns, because lists hide them meanwhile. The lock makes a row that is deleted at the same time count once.
CREATE OR REPLACE FUNCTION count_rows_of_left_user() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted record;
  step integer := CASE WHEN TG_OP = 'UPDATE' AND new.disabled_at IS NULL THEN 1 ELSE -1 END;
BEGIN
  -- Counts the user's tracks for everyone who likes them or commented on them, by one delta for each person: a million likes of
  -- a label's tracks come from fewer people. `hold_leaving_user` has locked the tracks.
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta)
    SELECT 'user', f.user_id, 'public_favorites_count', step * count(*)
    FROM tracks t JOIN favorites f ON f.track_id = t.id
    WHERE t.user_id = new.id AND t.sharing = 'public' AND t.state <> 'failed'
    GROUP BY f.user_id
    UNION ALL
    SELECT 'user', c.user_id, CASE WHEN t.reveal_comments THEN 'comments_count' ELSE 'quiet_comments_count' END, step * count(*)
    FROM tracks t JOIN comments c ON c.track_id = t.id
    WHERE t.user_id = new.id AND t.sharing = 'public'
    GROUP BY c.user_id, t.reveal_comments;
  END IF;
  FOR counted IN
    SELECT * FROM (VALUES ('track', 'favorites', 'user_id', 'track_id', 'favoritings_count'),
      ('track', 'reposts', 'user_id', 'track_id', 'reposts_count'), ('track', 'comments', 'user_id', 'track_id', 'comment_count'),
      ('playlist', 'playlist_favorites', 'user_id', 'playlist_id', 'favoritings_count'),
      ('playlist', 'playlist_reposts', 'user_id', 'playlist_id', 'reposts_count'),
      ('user', 'followings', 'user_id', 'followee_id', 'followers_count'),
      ('user', 'followings', 'followee_id', 'user_id', 'followings_count')) AS c(kind, rows_of, leaver, subject, counter)
  LOOP
    EXECUTE format('WITH locked AS MATERIALIZED (SELECT m.%I AS subject FROM %I m WHERE m.%I = $1 FOR KEY SHARE)
      INSERT INTO counter_deltas (kind, subject_id, counter, delta) SELECT $2, subject, $3, $4 * count(*) FROM locked
      GROUP BY subject', counted.subject, counted.rows_of, counted.leaver)
    USING old.id, counted.kind, counted.counter, step;
  END LOOP;
  RETURN CASE TG_OP WHEN 'DELETE' THEN old ELSE new END;
END $$;

CREATE OR REPLACE TRIGGER left_users_rows_are_counted AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION count_rows_of_left_user();
CREATE OR REPLACE TRIGGER deleted_users_rows_are_counted BEFORE DELETE ON users FOR EACH ROW
WHEN (old.disabled_at IS NULL) EXECUTE FUNCTION count_rows_of_left_user();
