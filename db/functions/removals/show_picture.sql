-- Gives the track, set or user `p_of` this picture, or none.
CREATE OR REPLACE FUNCTION show_picture(p_of text, p_id bigint, p_version text, p_colors text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CASE p_of
    WHEN 'track' THEN
      UPDATE tracks SET artwork_version = p_version, artwork_colors = p_colors, updated_at = now() WHERE id = p_id;
    WHEN 'playlist' THEN
      UPDATE playlists SET artwork_version = p_version, artwork_colors = p_colors, updated_at = now() WHERE id = p_id;
    WHEN 'user' THEN
      UPDATE users SET avatar_version = p_version, updated_at = now() WHERE id = p_id;
  END CASE;
END $$;
