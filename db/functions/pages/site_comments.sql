-- Returns a track's newest hundred timed comments, by position. Empty if the owner reveals none.
CREATE OR REPLACE FUNCTION site_comments(p_track bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('timestamp', c.timestamp_ms, 'username', c.username, 'body', c.body)
    ORDER BY c.timestamp_ms, c.id), '[]')
  FROM (
    SELECT c.id, c.timestamp_ms, c.body, u.username
    FROM comments c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
    WHERE c.track_id = p_track AND c.timestamp_ms IS NOT NULL
      AND EXISTS (SELECT FROM tracks t WHERE t.id = p_track AND t.reveal_comments)
    ORDER BY c.id DESC LIMIT 100) c
$$;
