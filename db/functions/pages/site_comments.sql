-- Returns a track's newest hundred timed comments, by position. Empty if the owner reveals none. Planned as in
-- `list_track_comments`.
CREATE OR REPLACE FUNCTION site_comments(p_track bigint) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
  SELECT coalesce(json_agg(json_build_object('timestamp', c.timestamp_ms, 'username', u.username, 'body', c.body)
    ORDER BY c.timestamp_ms, c.id), '[]')
  FROM (
    SELECT c.id, c.user_id, c.timestamp_ms, c.body FROM comments c
    WHERE c.track_id = p_track AND c.timestamp_ms IS NOT NULL
      AND EXISTS (SELECT FROM tracks t WHERE t.id = p_track AND t.reveal_comments)
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = c.user_id AND u.disabled_at IS NOT NULL)
    ORDER BY c.id DESC LIMIT 100) c
  JOIN users u ON u.id = c.user_id
$$;
