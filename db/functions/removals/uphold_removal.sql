-- Leaves a removal as it is, in answer to its open counter-notice, and tells of it.
CREATE OR REPLACE FUNCTION uphold_removal(p_by jsonb, p_removal bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  r removals;
BEGIN
  PERFORM require_operator(p_by);
  SELECT * INTO r FROM removals WHERE id = p_removal FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  UPDATE counter_notices SET decision = 'upheld', decision_reason = p_by->>'reason', decided_at = now()
  WHERE removal_id = p_removal AND decided_at IS NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'already');
  END IF;
  PERFORM tell_of_removal(p_removal, 'upheld', p_by->>'reason');
  PERFORM note_act(p_by, r.kind || '.uphold', r.kind, coalesce(r.comment_id, r.track_id, r.playlist_id, r.user_id), r.name,
    jsonb_build_object('user_id', r.user_id, 'removal', r.id));
  RETURN json_build_object('outcome', 'done');
END $$;
