-- Leases a connection's due posts, oldest first. Null if another job holds the lease or the connection is gone. Deletes
-- posts whose favorite or publication was withdrawn; they may return later.
CREATE OR REPLACE FUNCTION lease_connection_posts(p_connection bigint, p_lease_s integer, p_limit integer) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  leased connections;
BEGIN
  UPDATE connections c SET leased_until = now() + make_interval(secs => p_lease_s) FROM users u
  WHERE c.id = p_connection AND (c.leased_until > now()) IS NOT TRUE AND u.id = c.user_id AND u.disabled_at IS NULL
  RETURNING c.* INTO leased;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  DELETE FROM connection_posts p USING tracks t
  WHERE p.connection_id = p_connection AND p.due_at <= now() AND t.id = p.track_id
    AND NOT (t.sharing = 'public' AND t.state = 'finished'
      AND NOT EXISTS (SELECT FROM users o WHERE o.id = t.user_id AND o.disabled_at IS NOT NULL) AND CASE p.kind
      WHEN 'publish' THEN leased.post_publish
      ELSE leased.post_favorite
        AND EXISTS (SELECT FROM favorites f WHERE f.user_id = leased.user_id AND f.track_id = p.track_id) END);
  RETURN json_build_object('leased_until', leased.leased_until, 'service', leased.service, 'external_id', leased.external_id,
    'tokens_sealed', encode(leased.tokens_sealed, 'base64'), 'posts', (
      SELECT coalesce(json_agg(r ORDER BY r.id), '[]') FROM (
        SELECT p.id, p.kind, t.title, t.permalink, u.permalink AS user_permalink, u.username
        FROM connection_posts p JOIN tracks t ON t.id = p.track_id JOIN users u ON u.id = t.user_id
        WHERE p.connection_id = p_connection AND p.due_at <= now() ORDER BY p.id LIMIT p_limit) r));
END $$;
