-- Moves a report to another state, `open` again included, with a note.
CREATE OR REPLACE FUNCTION settle_report(p_by jsonb, p_report bigint, p_state text, p_note text) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  r reports;
BEGIN
  PERFORM begin_act(p_by);
  SELECT * INTO r FROM reports WHERE id = p_report FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF r.state = p_state AND r.note IS NOT DISTINCT FROM p_note THEN
    RETURN json_build_object('outcome', 'already', 'report', report_row(r));
  END IF;
  UPDATE reports SET state = p_state, note = p_note, settled_at = CASE WHEN p_state <> 'open' THEN now() END
  WHERE id = p_report RETURNING * INTO r;
  PERFORM note_act(p_by, 'report.' || CASE p_state WHEN 'resolved' THEN 'resolve' WHEN 'dismissed' THEN 'dismiss' ELSE 'reopen' END,
    'report', p_report, report_row(r)->>'target',
    jsonb_build_object('note', p_note, 'about', jsonb_build_object('kind', r.target_kind, 'id', r.target_id)));
  RETURN json_build_object('outcome', 'done', 'report', report_row(r));
END $$;
