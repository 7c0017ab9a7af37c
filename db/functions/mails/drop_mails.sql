-- Deletes one mail, or all that failed, and notes it unless there was none. Returns the number.
CREATE OR REPLACE FUNCTION drop_mails(p_by jsonb, p_id bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  dropped mails[];
BEGIN
  PERFORM begin_act(p_by);
  WITH gone AS (
    DELETE FROM mails m WHERE m.id = p_id OR p_id IS NULL AND m.state = 'failed' RETURNING m)
  SELECT coalesce(array_agg(g.m), '{}') INTO dropped FROM gone g;
  PERFORM note_mails(p_by, 'mail.drop', p_id, dropped);
  RETURN cardinality(dropped);
END $$;
