-- Counts reposts, and favorites of playlists, of users who are there, and tells the owner of what they are about. Skips subjects
-- that are being deleted. Arguments: the kind of the subject, and its counter. The tables have the same columns but for one name.
CREATE OR REPLACE FUNCTION count_favorites_and_reposts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT TG_ARGV[0], c.subject_id, TG_ARGV[1], CASE TG_OP WHEN 'INSERT' THEN c.number ELSE -c.number END
  FROM (SELECT c.subject_id, count(*) AS number FROM changed c (id, user_id, subject_id)
    JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL GROUP BY c.subject_id) c
  WHERE CASE TG_ARGV[0] WHEN 'track' THEN EXISTS (SELECT FROM tracks t WHERE t.id = c.subject_id)
    ELSE EXISTS (SELECT FROM playlists p WHERE p.id = c.subject_id) END;

  IF TG_OP = 'DELETE' THEN
    DELETE FROM news n USING changed c (id) WHERE n.id = c.id;
  ELSE
    -- Users are not notified of their own actions.
    INSERT INTO news (id, user_id, kind, actor_id, subject_id)
    SELECT c.id, o.user_id, TG_ARGV[0] || CASE TG_ARGV[1] WHEN 'favoritings_count' THEN '-like' ELSE '-repost' END,
      c.user_id, c.subject_id
    FROM changed c (id, user_id, subject_id), LATERAL (
      SELECT t.user_id FROM tracks t WHERE TG_ARGV[0] = 'track' AND t.id = c.subject_id
      UNION ALL SELECT p.user_id FROM playlists p WHERE TG_ARGV[0] = 'playlist' AND p.id = c.subject_id) o
    WHERE o.user_id <> c.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_reposts_are_counted AFTER INSERT ON reposts REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites_and_reposts('track', 'reposts_count');
CREATE OR REPLACE TRIGGER gone_reposts_are_counted AFTER DELETE ON reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites_and_reposts('track', 'reposts_count');
CREATE OR REPLACE TRIGGER new_playlist_favorites_are_counted AFTER INSERT ON playlist_favorites REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites_and_reposts('playlist', 'favoritings_count');
CREATE OR REPLACE TRIGGER gone_playlist_favorites_are_counted AFTER DELETE ON playlist_favorites REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites_and_reposts('playlist', 'favoritings_count');
CREATE OR REPLACE TRIGGER new_playlist_reposts_are_counted AFTER INSERT ON playlist_reposts REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites_and_reposts('playlist', 'reposts_count');
CREATE OR REPLACE TRIGGER gone_playlist_reposts_are_counted AFTER DELETE ON playlist_reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites_and_reposts('playlist', 'reposts_count');
