-- Writes an act of an operator into the audit log, in the transaction of the act. `p_by` holds `reason` and either `caller`,
-- an operator's session, or `actor`, the name of somebody at the command line.
CREATE OR REPLACE FUNCTION note_act(
  p_by jsonb, p_act text, p_kind text, p_id bigint, p_target text, p_details jsonb DEFAULT '{}'
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_log (actor, actor_id, act, target_kind, target_id, target, reason, details)
  SELECT coalesce((SELECT u.username FROM users u WHERE u.id = c.user_id), p_by->>'actor'), c.user_id, p_act, p_kind, p_id,
    p_target, nullif(p_by->>'reason', ''), p_details
  FROM (SELECT (p_by #>> '{caller,user}')::bigint) c (user_id)
$$;
