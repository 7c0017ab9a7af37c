-- Lists connections that have due posts and no lease, the longest due first. Each counts once, so that a user of many posts
-- delays no other.
CREATE OR REPLACE FUNCTION due_connections(p_limit integer) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r.id), '[]') FROM (
    SELECT c.id FROM connection_posts p JOIN connections c ON c.id = p.connection_id JOIN users u ON u.id = c.user_id
    WHERE p.due_at <= now() AND (c.leased_until > now()) IS NOT TRUE AND u.disabled_at IS NULL
    GROUP BY c.id ORDER BY min(p.due_at) LIMIT p_limit) r
$$;
