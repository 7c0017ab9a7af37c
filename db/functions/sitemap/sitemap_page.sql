-- Returns one page of the sitemap: paths with the times of their last changes. `p_user` begins pages of tracks and users,
-- `p_id` those of tracks and sets.
CREATE OR REPLACE FUNCTION sitemap_page(p_kind text, p_user bigint, p_id bigint, p_each integer) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(CASE p_kind
    WHEN 'tracks' THEN (
      SELECT json_agg(json_build_object('path', u.permalink || '/' || n.permalink, 'updated_at', n.updated_at))
      FROM (SELECT t.user_id, t.permalink, t.updated_at FROM tracks t
        WHERE t.sharing = 'public' AND t.state <> 'failed' AND (t.user_id, t.id) >= (p_user, p_id)
        ORDER BY t.user_id, t.id LIMIT p_each) n
      JOIN users u ON u.id = n.user_id AND u.disabled_at IS NULL)
    WHEN 'users' THEN (
      SELECT json_agg(json_build_object('path', u.permalink, 'updated_at', u.updated_at))
      FROM (SELECT DISTINCT t.user_id FROM tracks t
        WHERE t.sharing = 'public' AND t.state <> 'failed' AND t.user_id >= p_user ORDER BY t.user_id LIMIT p_each) n
      JOIN users u ON u.id = n.user_id AND u.disabled_at IS NULL)
    WHEN 'sets' THEN (
      SELECT json_agg(json_build_object('path', u.permalink || '/sets/' || n.permalink, 'updated_at', n.updated_at))
      FROM (SELECT p.user_id, p.permalink, p.updated_at FROM playlists p
        WHERE p.sharing = 'public' AND p.id >= p_id ORDER BY p.id LIMIT p_each) n
      JOIN users u ON u.id = n.user_id AND u.disabled_at IS NULL)
  END, '[]');
END $$;
