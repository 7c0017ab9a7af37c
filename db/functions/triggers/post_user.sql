-- Removes or restores a user's posts, and others' reposts of their subjects, with the user. `hold_leaving_user` has locked
-- all of them.
CREATE OR REPLACE FUNCTION post_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM posts p WHERE p.user_id = new.id;
  DELETE FROM posts p USING tracks t WHERE t.user_id = new.id AND p.subject_id = t.id AND p.kind = 'track-repost';
  DELETE FROM posts p USING playlists l WHERE l.user_id = new.id AND p.subject_id = l.id AND p.kind = 'playlist-repost';
  INSERT INTO posts (id, kind, user_id, subject_id)
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p WHERE p.user_id = new.id
  UNION ALL
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p WHERE p.owner_id = new.id AND p.user_id <> new.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER posts_of_left_user_go AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION post_user();
