-- Finds the id behind a link to a user, track, playlist or app, or null. Ignores the case of letters. A former permalink leads on
-- where no present one does; it is looked up only then. Visibility is checked by the caller.
CREATE OR REPLACE FUNCTION linked_id(p_kind text, p_owner text, p_permalink text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  link CONSTANT text := lower(p_permalink);
  owner_link CONSTANT text := lower(CASE p_kind WHEN 'user' THEN p_permalink ELSE p_owner END);
  owner bigint;
  subject bigint;
BEGIN
  IF p_kind = 'app' THEN
    RETURN (SELECT a.id FROM apps a WHERE a.permalink = link);
  END IF;
  SELECT u.id INTO owner FROM users u WHERE lower(u.permalink) = owner_link;
  IF NOT FOUND THEN
    SELECT f.user_id INTO owner FROM former_addresses f
    WHERE f.permalink = owner_link AND f.track_id IS NULL AND f.playlist_id IS NULL;
  END IF;
  IF p_kind = 'user' THEN
    RETURN owner;
  ELSIF p_kind = 'track' THEN
    SELECT t.id INTO subject FROM tracks t WHERE t.user_id = owner AND t.permalink = link;
    IF NOT FOUND THEN
      SELECT f.track_id INTO subject FROM former_addresses f
      WHERE f.user_id = owner AND f.permalink = link AND f.track_id IS NOT NULL;
    END IF;
  ELSIF p_kind = 'playlist' THEN
    SELECT p.id INTO subject FROM playlists p WHERE p.user_id = owner AND p.permalink = link;
    IF NOT FOUND THEN
      SELECT f.playlist_id INTO subject FROM former_addresses f
      WHERE f.user_id = owner AND f.permalink = link AND f.playlist_id IS NOT NULL;
    END IF;
  END IF;
  RETURN subject;
END $$;
