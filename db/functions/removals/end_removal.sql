-- Ends a case, whose subject the caller restores: answers an open counter-notice and tells of it.
CREATE OR REPLACE FUNCTION end_removal(p_removal bigint, p_reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_of_removal(p_removal, 'restored', p_reason);
  UPDATE counter_notices SET decision = 'restored', decision_reason = p_reason, decided_at = now()
  WHERE removal_id = p_removal AND decided_at IS NULL;
  UPDATE removals SET restored_at = now(), comment = NULL, picture_version = NULL, secret_hash = NULL WHERE id = p_removal;
END $$;
