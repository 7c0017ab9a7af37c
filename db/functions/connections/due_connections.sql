-- Lists connections that have due posts and no lease.
CREATE OR REPLACE FUNCTION due_connections(p_limit integer) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(DISTINCT r.id), '[]') FROM (
    SELECT c.id FROM connection_posts p JOIN connections c ON c.id = p.connection_id JOIN users u ON u.id = c.user_id
    WHERE p.due_at <= now() AND (c.leased_until > now()) IS NOT TRUE AND u.disabled_at IS NULL
    ORDER BY p.due_at LIMIT p_limit) r
$$;
