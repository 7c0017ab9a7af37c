-- Adds a play to the user's history, and counts it unless another counted within 30 minutes. The mark only advances, so
-- late and repeated plays count nothing. One of several concurrent plays wins.
CREATE OR REPLACE FUNCTION note_play(p_track bigint, p_mark bytea, p_user bigint, p_at timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  history_length CONSTANT integer := 100;
  counted boolean;
BEGIN
  INSERT INTO play_marks AS m (mark, counted_at) VALUES (p_mark, p_at)
  ON CONFLICT (mark) DO UPDATE SET counted_at = excluded.counted_at
  WHERE m.counted_at <= excluded.counted_at - interval '30 minutes';
  counted := FOUND;
  IF p_user IS NOT NULL THEN
    INSERT INTO recent_plays AS r (user_id, track_id, played_at)
    SELECT u.id, p_track, p_at FROM users u WHERE u.id = p_user AND u.disabled_at IS NULL
    ON CONFLICT (user_id, track_id) DO UPDATE SET played_at = excluded.played_at WHERE r.played_at < excluded.played_at;
    DELETE FROM recent_plays WHERE user_id = p_user AND played_at < (
      SELECT played_at FROM recent_plays WHERE user_id = p_user
      ORDER BY played_at DESC LIMIT 1 OFFSET history_length - 1);
  END IF;
  IF counted AND p_user IS NOT NULL THEN
    INSERT INTO user_plays AS u (user_id, track_id) SELECT id, p_track FROM users WHERE id = p_user AND disabled_at IS NULL
    ON CONFLICT (user_id, track_id) DO UPDATE SET plays = u.plays + 1;
  END IF;
  RETURN counted;
END $$;
