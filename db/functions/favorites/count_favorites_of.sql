-- Adds a track to the public favorites of everyone whose favorite it is, or removes it.
CREATE OR REPLACE FUNCTION count_favorites_of(p_track bigint, p_counted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tracks WHERE id = p_track FOR UPDATE;
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', f.user_id, 'public_favorites_count', p_counted FROM favorites f WHERE f.track_id = p_track;
END $$;
