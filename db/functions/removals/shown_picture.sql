-- Locks the track, set or user `p_of` and adds owner, picture and name to a case. Without such a row the owner stays null.
CREATE OR REPLACE FUNCTION shown_picture(p_case removals, p_of text, p_id bigint) RETURNS removals LANGUAGE plpgsql AS $$
BEGIN
  CASE p_of
    WHEN 'track' THEN
      SELECT t.user_id, t.id, t.artwork_version, t.artwork_colors, t.title
        INTO p_case.user_id, p_case.track_id, p_case.picture_version, p_case.picture_colors, p_case.name
      FROM tracks t WHERE t.id = p_id FOR UPDATE;
    WHEN 'playlist' THEN
      SELECT p.user_id, p.id, p.artwork_version, p.artwork_colors, p.title
        INTO p_case.user_id, p_case.playlist_id, p_case.picture_version, p_case.picture_colors, p_case.name
      FROM playlists p WHERE p.id = p_id FOR UPDATE;
    WHEN 'user' THEN
      SELECT u.id, u.avatar_version, u.username INTO p_case.user_id, p_case.picture_version, p_case.name
      FROM users u WHERE u.id = p_id FOR NO KEY UPDATE;
  END CASE;
  RETURN p_case;
END $$;
