-- Appends tracks in the given order and returns how many were new. Present tracks keep their places. The caller must
-- hold the playlist's lock.
CREATE OR REPLACE FUNCTION add_playlist_tracks(p_id bigint, p_tracks bigint[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  added integer;
BEGIN
  INSERT INTO playlist_tracks (playlist_id, position, track_id)
  SELECT p_id, (SELECT coalesce(max(position), 0) FROM playlist_tracks WHERE playlist_id = p_id)
    + row_number() OVER (ORDER BY n.place), n.id
  FROM (SELECT id, min(place) AS place FROM unnest(p_tracks) WITH ORDINALITY AS u(id, place) GROUP BY id) n
  WHERE NOT EXISTS (SELECT FROM playlist_tracks e WHERE e.playlist_id = p_id AND e.track_id = n.id);
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END $$;
