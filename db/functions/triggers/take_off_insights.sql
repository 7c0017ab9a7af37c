-- Takes a deleted track off the sums of its owner. The listeners stay: codes cannot be subtracted. An account that is being
-- erased loses its sums with its last rows.
CREATE OR REPLACE FUNCTION take_off_insights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM accounts a WHERE a.user_id = old.user_id) THEN
    -- A roll-up holds the track while it adds to both.
    PERFORM FROM tracks WHERE id = old.id FOR UPDATE;
    INSERT INTO user_insights AS i (user_id, grain, started_at, plays, downloads, likes, reposts, comments)
    SELECT old.user_id, t.grain, t.started_at, -t.plays, -t.downloads, -t.likes, -t.reposts, -t.comments
    FROM track_insights t WHERE t.track_id = old.id ORDER BY 1, 2, 3
    ON CONFLICT (user_id, grain, started_at) DO UPDATE SET plays = i.plays + excluded.plays,
      downloads = i.downloads + excluded.downloads, likes = i.likes + excluded.likes,
      reposts = i.reposts + excluded.reposts, comments = i.comments + excluded.comments;
    INSERT INTO user_breakdowns AS b (user_id, dimension, grain, started_at, value, plays)
    SELECT old.user_id, t.dimension, t.grain, t.started_at, t.value, -t.plays
    FROM track_breakdowns t WHERE t.track_id = old.id ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (user_id, dimension, grain, started_at, value) DO UPDATE SET plays = b.plays + excluded.plays;
  END IF;
  RETURN old;
END $$;

CREATE OR REPLACE TRIGGER insights_of_deleted_track_are_taken_off BEFORE DELETE ON tracks FOR EACH ROW
EXECUTE FUNCTION take_off_insights();
