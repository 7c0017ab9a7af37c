-- Counts favorites or reposts of users who are there, in the playlist's column that the trigger's argument names.
CREATE OR REPLACE FUNCTION count_playlist_favorites_and_reposts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'playlist', p.id, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN c.number ELSE -c.number END
  FROM (SELECT c.playlist_id, count(*) AS number FROM changed c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
    GROUP BY c.playlist_id) c JOIN playlists p ON p.id = c.playlist_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_playlist_favorites_are_counted AFTER INSERT ON playlist_favorites REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_favorites_and_reposts('favoritings_count');
CREATE OR REPLACE TRIGGER gone_playlist_favorites_are_counted AFTER DELETE ON playlist_favorites REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_favorites_and_reposts('favoritings_count');
CREATE OR REPLACE TRIGGER new_playlist_reposts_are_counted AFTER INSERT ON playlist_reposts REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_favorites_and_reposts('reposts_count');
CREATE OR REPLACE TRIGGER gone_playlist_reposts_are_counted AFTER DELETE ON playlist_reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_favorites_and_reposts('reposts_count');
