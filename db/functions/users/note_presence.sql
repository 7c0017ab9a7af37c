-- Records the use of many sessions in one write. Returns how many had no recent use.
CREATE OR REPLACE FUNCTION note_presence(p_sessions bigint[]) RETURNS integer LANGUAGE sql AS $$
  WITH due AS MATERIALIZED (
    SELECT s.id FROM sessions s
    WHERE s.id = ANY (p_sessions) AND s.revoked_at IS NULL AND (s.last_used_at < now() - interval '1 minute') IS NOT FALSE
    FOR NO KEY UPDATE SKIP LOCKED
  ), noted AS (
    UPDATE sessions s SET last_used_at = now() FROM due WHERE s.id = due.id RETURNING s.id)
  SELECT count(*)::integer FROM noted
$$;
