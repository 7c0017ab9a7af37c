-- Records outcomes, `ended` or `again` by post id, and returns whether the lease was held. Delays double until a post is
-- given up. A service that refuses us is not asked again until the user allows it. Locks the connection before its posts, like
-- its lease and its deletion.
CREATE OR REPLACE FUNCTION settle_connection_posts(
  p_connection bigint, p_leased_until timestamptz, p_outcomes jsonb, p_refused boolean, p_wait_s integer, p_attempts integer
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  has_lease boolean;
BEGIN
  UPDATE connections SET leased_until = NULL WHERE id = p_connection AND leased_until = p_leased_until;
  has_lease := FOUND;
  UPDATE connection_posts p SET attempts = p.attempts + 1,
    due_at = CASE WHEN o.value = 'again' AND p.attempts + 1 < p_attempts
      THEN now() + make_interval(secs => p_wait_s) * 2 ^ p.attempts END
  FROM jsonb_each_text(p_outcomes) o WHERE p.id = o.key::bigint AND p.connection_id = p_connection;
  IF p_refused AND has_lease THEN
    UPDATE connections SET post_favorite = false, post_publish = false, updated_at = now() WHERE id = p_connection;
    DELETE FROM connection_posts WHERE connection_id = p_connection AND due_at IS NOT NULL;
  END IF;
  RETURN has_lease;
END $$;
