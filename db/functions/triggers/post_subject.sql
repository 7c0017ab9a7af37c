-- Posts or removes a track or playlist (the argument) that was created, deleted, published or hidden.
CREATE OR REPLACE FUNCTION post_subject() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject bigint := coalesce(new.id, old.id);
  kinds text[] := ARRAY[TG_ARGV[0], TG_ARGV[0] || '-repost'];
BEGIN
  DELETE FROM posts p WHERE p.subject_id = subject AND p.kind = ANY (kinds);
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO posts (id, kind, user_id, subject_id)
    SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p
    WHERE p.subject_id = subject AND p.kind = ANY (kinds);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER changed_track_is_posted AFTER UPDATE OF sharing, state, published_id ON tracks FOR EACH ROW
WHEN ((old.sharing = 'public' AND old.state <> 'failed') <> (new.sharing = 'public' AND new.state <> 'failed')
  OR old.published_id <> new.published_id) EXECUTE FUNCTION post_subject('track');
CREATE OR REPLACE TRIGGER new_track_is_posted AFTER INSERT ON tracks FOR EACH ROW
WHEN (new.sharing = 'public' AND new.state <> 'failed') EXECUTE FUNCTION post_subject('track');
CREATE OR REPLACE TRIGGER gone_track_is_not_posted AFTER DELETE ON tracks FOR EACH ROW EXECUTE FUNCTION post_subject('track');
CREATE OR REPLACE TRIGGER changed_playlist_is_posted AFTER UPDATE OF sharing, published_id ON playlists FOR EACH ROW
WHEN (old.sharing <> new.sharing OR old.published_id <> new.published_id) EXECUTE FUNCTION post_subject('playlist');
CREATE OR REPLACE TRIGGER new_playlist_is_posted AFTER INSERT ON playlists FOR EACH ROW
WHEN (new.sharing = 'public') EXECUTE FUNCTION post_subject('playlist');
CREATE OR REPLACE TRIGGER gone_playlist_is_not_posted AFTER DELETE ON playlists FOR EACH ROW EXECUTE FUNCTION post_subject('playlist');
