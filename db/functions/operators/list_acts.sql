-- Lists the audit log, newest first, below `p_before`; only the acts on one target if it is named.
CREATE OR REPLACE FUNCTION list_acts(p_kind text, p_target bigint, p_before bigint, p_limit integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(jsonb_agg(to_jsonb(f) ORDER BY f.id DESC), '[]') FROM (
    SELECT l.id, id_created_at(l.id) AS created_at, l.actor, l.actor_id, l.act, l.target_kind, l.target_id, l.target, l.reason,
      l.details
    FROM audit_log l
    WHERE l.id < coalesce(p_before, 9223372036854775807) AND (p_kind IS NULL OR l.target_kind = p_kind)
      AND (p_target IS NULL OR l.target_id = p_target)
    ORDER BY l.id DESC LIMIT p_limit) f);
END $$;
