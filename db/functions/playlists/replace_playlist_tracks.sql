-- Replaces the tracks that a playlist's owner sees with these, in this order. A hidden track stays behind the track before it
-- that remains. Positions stay while tracks are only removed or appended, because readers continue after the position of their
-- last track. The caller must hold the playlist's lock.
CREATE OR REPLACE FUNCTION replace_playlist_tracks(p_id bigint, p_tracks bigint[], p_hidden bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  present bigint[] := ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  named bigint[] := ARRAY(SELECT u.id FROM unnest(p_tracks) WITH ORDINALITY AS u(id, place) GROUP BY u.id ORDER BY min(u.place));
  wanted bigint[] := ARRAY(
    SELECT w.id FROM (
      SELECT n.id, n.place, 0 AS behind FROM unnest(named) WITH ORDINALITY AS n(id, place)
      UNION ALL
      SELECT h.id, coalesce((SELECT array_position(named, b.id) FROM unnest(present[1 : h.place::integer]) WITH ORDINALITY AS b(id, place)
        WHERE b.id = ANY (named) ORDER BY b.place DESC LIMIT 1), 0), h.place
      FROM unnest(present) WITH ORDINALITY AS h(id, place) WHERE h.id = ANY (p_hidden)) w
    ORDER BY w.place, w.behind);
BEGIN
  DELETE FROM playlist_tracks WHERE playlist_id = p_id AND track_id <> ALL (wanted);
  present := ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  IF present <> wanted[1 : cardinality(present)] THEN
    DELETE FROM playlist_tracks WHERE playlist_id = p_id;
  END IF;
  PERFORM add_playlist_tracks(p_id, wanted);
END $$;
