-- Makes these tracks, in this order, all that a playlist holds. Positions stay while tracks are only removed or appended,
-- because readers go on after the position of the last track they have. The caller must hold the playlist's lock.
CREATE OR REPLACE FUNCTION replace_playlist_tracks(p_id bigint, p_tracks bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted bigint[] := ARRAY(SELECT u.id FROM unnest(p_tracks) WITH ORDINALITY AS u(id, place) GROUP BY u.id ORDER BY min(u.place));
  present bigint[];
BEGIN
  PERFORM note_leaving_tracks(ARRAY(
    SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id AND track_id <> ALL (wanted)));
  DELETE FROM playlist_tracks WHERE playlist_id = p_id AND track_id <> ALL (wanted);
  present := ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  IF present <> wanted[1 : cardinality(present)] THEN
    DELETE FROM playlist_tracks WHERE playlist_id = p_id;
  END IF;
  PERFORM add_playlist_tracks(p_id, wanted);
END $$;
