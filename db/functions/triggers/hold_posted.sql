-- Locks the playlists and tracks that a user made or reposts, by id. An edit of a playlist locks it before its tracks.
CREATE OR REPLACE FUNCTION hold_posted(p_user bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM playlists l WHERE l.id IN (
    SELECT o.id FROM playlists o WHERE o.user_id = p_user
    UNION SELECT r.playlist_id FROM playlist_reposts r WHERE r.user_id = p_user)
  ORDER BY l.id FOR UPDATE;
  PERFORM FROM tracks t WHERE t.id IN (
    SELECT o.id FROM tracks o WHERE o.user_id = p_user UNION SELECT r.track_id FROM reposts r WHERE r.user_id = p_user)
  ORDER BY t.id FOR UPDATE;
END $$;
