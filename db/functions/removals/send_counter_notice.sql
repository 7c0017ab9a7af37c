-- Keeps an owner's answer to a removal, one open at a time, and tells of it. Five a day. `p_mail` is the sealed text for the
-- operators' mailbox.
CREATE OR REPLACE FUNCTION send_counter_notice(
  p_session bigint, p_client text, p_user bigint, p_removal bigint, p_notice jsonb, p_mail_to text, p_mail bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  removal removals;
  attempt record;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO removal FROM removals WHERE id = p_removal AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF removal.restored_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'restored');
  ELSIF EXISTS (SELECT FROM counter_notices n WHERE n.removal_id = p_removal AND n.decided_at IS NULL) THEN
    RETURN json_build_object('outcome', 'open');
  END IF;
  SELECT * INTO attempt FROM take_attempt(ARRAY['counter-notice ' || p_user], ARRAY[5], ARRAY[interval '1 day']);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  INSERT INTO counter_notices (removal_id, statement, name, contact)
  SELECT p_removal, n.statement, n.name, n.contact FROM jsonb_populate_record(NULL::counter_notices, p_notice) n;
  PERFORM tell_of_removal(p_removal, 'answered', NULL);
  IF p_mail_to IS NOT NULL THEN
    PERFORM queue_mail(NULL, 'report', p_mail_to, NULL, p_mail, NULL);
  END IF;
  RETURN json_build_object('outcome', 'done');
END $$;
