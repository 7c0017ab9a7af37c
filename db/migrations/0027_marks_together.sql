ALTER TABLE "activities" DROP CONSTRAINT "activities_comment_id_comments_id_fk";
--> statement-breakpoint
ALTER TABLE "activities" DROP CONSTRAINT "activities_favorite_fk";
--> statement-breakpoint
-- What a statement sets or takes away is counted and forgotten together: with a track go all who like it. A plan stays for as
-- long as its connection, and is made for as many rows as the first statement had; by indexes it is right for one and for all.

CREATE FUNCTION count_favorites() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  liked bigint[] := ARRAY(SELECT DISTINCT track_id FROM changed);
BEGIN
  PERFORM FROM tracks t WHERE t.id = ANY (liked) ORDER BY t.id FOR KEY SHARE;
  -- Of a track that is just being deleted nothing is counted here: `count_favorites_of_track` did.
  IF FOUND THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta)
    SELECT 'track', t.id, 'favoritings_count', step * c.likes
    FROM (SELECT track_id, count(*) AS likes FROM changed GROUP BY track_id) c JOIN tracks t ON t.id = c.track_id
    UNION ALL
    SELECT 'user', c.user_id, 'public_favorites_count', step * count(*)
    FROM changed c JOIN tracks t ON t.id = c.track_id JOIN users o ON o.id = t.user_id
    WHERE t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL
    GROUP BY c.user_id;
  END IF;
  RETURN NULL;
END $$;

-- Of what is just being deleted nothing is counted.
CREATE FUNCTION count_track_reposts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'reposts_count', CASE TG_OP WHEN 'INSERT' THEN c.reposts ELSE -c.reposts END
  FROM (SELECT track_id, count(*) AS reposts FROM changed GROUP BY track_id) c JOIN tracks t ON t.id = c.track_id;
  RETURN NULL;
END $$;

-- The counter is the trigger's argument.
CREATE FUNCTION count_playlist_marks() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'playlist', p.id, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN c.marks ELSE -c.marks END
  FROM (SELECT playlist_id, count(*) AS marks FROM changed GROUP BY playlist_id) c JOIN playlists p ON p.id = c.playlist_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'comment_count', CASE TG_OP WHEN 'INSERT' THEN c.comments ELSE -c.comments END
  FROM (SELECT track_id, count(*) AS comments FROM changed GROUP BY track_id) c JOIN tracks t ON t.id = c.track_id;
  RETURN NULL;
END $$;

DROP TRIGGER favorites_are_counted ON favorites;
DROP TRIGGER reposts_are_counted ON reposts;
DROP TRIGGER playlist_likes_are_counted ON playlist_likes;
DROP TRIGGER playlist_reposts_are_counted ON playlist_reposts;
DROP FUNCTION count_favorite();
DROP FUNCTION count_repost();
DROP FUNCTION count_playlist_mark();

CREATE TRIGGER new_favorites_are_counted AFTER INSERT ON favorites REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites();
CREATE TRIGGER gone_favorites_are_counted AFTER DELETE ON favorites REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites();
CREATE TRIGGER new_reposts_are_counted AFTER INSERT ON reposts REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_track_reposts();
CREATE TRIGGER gone_reposts_are_counted AFTER DELETE ON reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_track_reposts();
CREATE TRIGGER new_playlist_likes_are_counted AFTER INSERT ON playlist_likes REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_marks('likes_count');
CREATE TRIGGER gone_playlist_likes_are_counted AFTER DELETE ON playlist_likes REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_marks('likes_count');
CREATE TRIGGER new_playlist_reposts_are_counted AFTER INSERT ON playlist_reposts REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_marks('reposts_count');
CREATE TRIGGER gone_playlist_reposts_are_counted AFTER DELETE ON playlist_reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_marks('reposts_count');

-- Arguments: the table of what is reposted, and the kind of the post.
CREATE OR REPLACE FUNCTION post_repost() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  repost jsonb := to_jsonb(new);
  reposter bigint := repost->>'user_id';
  subject bigint := coalesce(repost->>'track_id', repost->>'playlist_id');
BEGIN
  EXECUTE format('SELECT FROM %I WHERE id = $1 FOR KEY SHARE', TG_ARGV[0]) USING subject;
  INSERT INTO posts (id, kind, user_id, subject_id)
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p
  WHERE p.subject_id = subject AND p.kind = TG_ARGV[1] AND p.user_id = reposter;
  RETURN NULL;
END $$;

-- The kind of the posts is the trigger's argument; reposts of tracks and of playlists have the same columns but for a name.
CREATE FUNCTION forget_posts_of_reposts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM posts p USING changed AS c (id, user_id, subject_id)
  WHERE p.subject_id = c.subject_id AND p.kind = TG_ARGV[0] AND p.user_id = c.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reposts_are_posted AFTER INSERT ON reposts FOR EACH ROW
EXECUTE FUNCTION post_repost('tracks', 'track-repost');
CREATE OR REPLACE TRIGGER reposts_are_posted AFTER INSERT ON playlist_reposts FOR EACH ROW
EXECUTE FUNCTION post_repost('playlists', 'playlist-repost');
CREATE TRIGGER gone_reposts_are_not_posted AFTER DELETE ON reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_posts_of_reposts('track-repost');
CREATE TRIGGER gone_reposts_are_not_posted AFTER DELETE ON playlist_reposts REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_posts_of_reposts('playlist-repost');

-- An activity comes in the same transaction as its event, so that whoever deletes the one sees the other.
CREATE FUNCTION forget_activities_of_favorites() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM activities a USING changed c WHERE a.actor_id = c.user_id AND a.favored_track_id = c.track_id;
  RETURN NULL;
END $$;

CREATE FUNCTION forget_activities_of_comments() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM activities a USING changed c WHERE a.comment_id = c.id;
  RETURN NULL;
END $$;

CREATE TRIGGER gone_favorites_are_forgotten AFTER DELETE ON favorites REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_activities_of_favorites();
CREATE TRIGGER gone_comments_are_forgotten AFTER DELETE ON comments REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION forget_activities_of_comments();

-- A statement that is planned while nothing is pending would from then on read all that is pending, were the table empty then
-- as well: once for each 128th of those who like a track.
ALTER TABLE counter_deltas SET (vacuum_truncate = off);
ALTER FUNCTION fold_counter_deltas() SET enable_seqscan = off;
