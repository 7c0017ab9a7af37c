-- Returns the reason why a playlist cannot hold these tracks and `p_held` others, or null. Missing and hidden tracks
-- are not distinguished. Locks the tracks against deletion until the transaction ends.
CREATE OR REPLACE FUNCTION playlist_tracks_fault(p_user bigint, p_tracks bigint[], p_held integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  named integer := (SELECT count(DISTINCT id) FROM unnest(p_tracks) id);
  seen integer;
BEGIN
  IF p_held + named > 500 THEN
    RETURN 'too_many_tracks';
  END IF;
  PERFORM FROM tracks t WHERE t.id = ANY (p_tracks) AND track_access(t, p_user, NULL, NULL) <> 'none' FOR KEY SHARE OF t;
  GET DIAGNOSTICS seen = ROW_COUNT;
  RETURN CASE WHEN seen < named THEN 'unknown_track' END;
END $$;
