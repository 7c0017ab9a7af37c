-- Writes an act on mails into the audit log, one row for all of them. Addresses are left out: the log outlives users.
CREATE OR REPLACE FUNCTION note_mails(p_by jsonb, p_act text, p_id bigint, p_mails mails[]) RETURNS void LANGUAGE sql AS $$
  SELECT note_act(p_by, p_act, 'mail', p_id, CASE WHEN p_id IS NULL THEN n || ' failed mails' ELSE kind END,
    jsonb_build_object('mails', n, 'user', CASE WHEN p_id IS NOT NULL THEN user_id END))
  FROM (SELECT count(*) AS n, min(m.kind) AS kind, min(m.user_id) AS user_id FROM unnest(p_mails) m) f WHERE n > 0
$$;
