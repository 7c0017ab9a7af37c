-- Drops a dead letter, or makes it due: the cron sends it again. One that fits no queue cannot be sent.
CREATE OR REPLACE FUNCTION operate_dead_letter(p_by jsonb, p_act text, p_id bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d dead_letters;
BEGIN
  PERFORM begin_act(p_by);
  SELECT * INTO d FROM dead_letters WHERE id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF p_act = 'retry' AND d.queue = 'unknown' THEN
    RETURN json_build_object('outcome', 'unsendable');
  ELSIF p_act = 'retry' THEN
    UPDATE dead_letters SET retry_at = now() WHERE id = p_id RETURNING * INTO d;
  ELSE
    DELETE FROM dead_letters WHERE id = p_id;
  END IF;
  PERFORM note_act(p_by, 'dead-letter.' || p_act, 'dead-letter', p_id, d.queue, jsonb_build_object('body', d.body));
  RETURN json_build_object('outcome', 'done', 'letter', dead_letter_row(d));
END $$;
