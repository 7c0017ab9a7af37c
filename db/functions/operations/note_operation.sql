-- Fails, and undoes the statement, unless the operator who acts on a page may: `require_operator` says when. The command
-- line has no session.
CREATE OR REPLACE FUNCTION note_operation(
  p_by jsonb, p_act text, p_kind text, p_id bigint, p_target text, p_details jsonb DEFAULT '{}'
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_by ? 'session' THEN
    PERFORM require_operator((p_by->>'session')::bigint, 'site', (p_by->>'actor_id')::bigint);
  END IF;
END $$;
