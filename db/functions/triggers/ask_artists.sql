-- Asks the users whom a track names as artists whether they are. Whoever declined is not asked again, and whoever accepted only for
-- another name or role. Who is not named any more is not asked any more. The first publication moves open questions to the top
-- of the news: before it nobody saw them.
CREATE OR REPLACE FUNCTION ask_artists() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named bigint[];
BEGIN
  IF TG_NAME = 'published_artists_are_asked' THEN
    UPDATE credits SET id = next_id() WHERE track_id = new.id AND state = 'pending';
    RETURN NULL;
  END IF;
  WITH wanted AS (
    SELECT u.id AS user_id, jsonb_agg(a.artist - 'user_id' ORDER BY a.place) AS roles
    FROM jsonb_array_elements(new.artists) WITH ORDINALITY a(artist, place)
    JOIN users u ON u.id = (a.artist->>'user_id')::bigint AND u.id <> new.user_id
    GROUP BY u.id
  ), asked AS (
    INSERT INTO credits AS c (track_id, user_id, roles) SELECT new.id, user_id, roles FROM wanted
    ON CONFLICT (track_id, user_id) DO UPDATE SET roles = excluded.roles,
      id = CASE WHEN c.state = 'accepted' AND NOT c.roles @> excluded.roles THEN excluded.id ELSE c.id END,
      state = CASE WHEN c.state = 'accepted' AND NOT c.roles @> excluded.roles THEN 'pending' ELSE c.state END
    RETURNING user_id)
  SELECT coalesce(array_agg(user_id), '{}') INTO named FROM asked;
  DELETE FROM credits WHERE track_id = new.id AND state <> 'declined' AND user_id <> ALL (named);
  UPDATE credits SET roles = NULL WHERE track_id = new.id AND user_id <> ALL (named);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_artists_are_asked AFTER INSERT ON tracks FOR EACH ROW
WHEN (new.artists IS NOT NULL) EXECUTE FUNCTION ask_artists();
CREATE OR REPLACE TRIGGER changed_artists_are_asked AFTER UPDATE OF artists ON tracks FOR EACH ROW
WHEN (old.artists IS DISTINCT FROM new.artists) EXECUTE FUNCTION ask_artists();
CREATE OR REPLACE TRIGGER published_artists_are_asked AFTER UPDATE OF sharing ON tracks FOR EACH ROW
WHEN (new.artists IS NOT NULL AND old.sharing = 'private' AND new.sharing = 'public' AND NOT old.was_public)
EXECUTE FUNCTION ask_artists();
