-- Counts reposts, and favorites of playlists, of users who are there. Skips subjects that are being deleted. Arguments: the kind of
-- the subject, and its counter. The tables have the same columns but for one name.
CREATE OR REPLACE FUNCTION count_favorites_and_reposts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT TG_ARGV[0], c.subject_id, TG_ARGV[1], CASE TG_OP WHEN 'INSERT' THEN c.number ELSE -c.number END
  FROM (SELECT c.subject_id, count(*) AS number FROM changed c (id, user_id, subject_id)
    JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL GROUP BY c.subject_id) c
  WHERE CASE TG_ARGV[0] WHEN 'track' THEN EXISTS (SELECT FROM tracks t WHERE t.id = c.subject_id)
    ELSE EXISTS (SELECT FROM playlists p WHERE p.id = c.subject_id) END;
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
