-- Fails with SC000 where a user whose address has yet to be confirmed would show something to others. Every table in which users
-- post has the trigger, so no way to it is forgotten. Deleting stays possible.
CREATE OR REPLACE FUNCTION require_confirmed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  author bigint;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'users' THEN
      author := new.id;
    WHEN 'apps' THEN
      author := new.owner_id;
    WHEN 'uploads', 'tracks', 'playlists', 'comments', 'favorites', 'playlist_favorites', 'reposts', 'playlist_reposts',
      'followings', 'web_profiles', 'podcast_imports', 'connections', 'webhooks', 'credits' THEN
      author := new.user_id;
  END CASE;
  PERFORM FROM accounts a WHERE a.user_id = author AND a.awaits_confirmation;
  IF FOUND THEN
    RAISE 'the address has yet to be confirmed' USING ERRCODE = 'SC000';
  END IF;
  RETURN new;
END $$;

CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON uploads FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON tracks FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON playlists FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON comments FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON favorites FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON playlist_favorites FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON reposts FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON playlist_reposts FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON followings FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON web_profiles FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON podcast_imports FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON connections FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON webhooks FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER author_is_confirmed BEFORE INSERT ON apps FOR EACH ROW
EXECUTE FUNCTION require_confirmed();
-- A profile is public as soon as it is saved. The name itself came with the sign-up.
CREATE OR REPLACE TRIGGER profile_is_confirmed BEFORE UPDATE OF full_name, country, city, description, discogs_name, myspace_name,
  website, website_title, avatar_version ON users FOR EACH ROW
WHEN ((old.full_name, old.country, old.city, old.description, old.discogs_name, old.myspace_name, old.website, old.website_title,
  old.avatar_version) IS DISTINCT FROM (new.full_name, new.country, new.city, new.description, new.discogs_name,
  new.myspace_name, new.website, new.website_title, new.avatar_version)) EXECUTE FUNCTION require_confirmed();
CREATE OR REPLACE TRIGGER artist_is_confirmed BEFORE UPDATE OF state ON credits FOR EACH ROW
WHEN (new.state = 'accepted' AND old.state <> 'accepted') EXECUTE FUNCTION require_confirmed();
