-- Posts a repost. Arguments: the table of its subject, and the kind of post.
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

CREATE OR REPLACE TRIGGER reposts_are_posted AFTER INSERT ON reposts FOR EACH ROW
EXECUTE FUNCTION post_repost('tracks', 'track-repost');
CREATE OR REPLACE TRIGGER reposts_are_posted AFTER INSERT ON playlist_reposts FOR EACH ROW
EXECUTE FUNCTION post_repost('playlists', 'playlist-repost');
