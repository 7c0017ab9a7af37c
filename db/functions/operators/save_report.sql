-- Puts a report into the queue and counts it in the budget of the reporter's address. A report that repeats an open one of
-- the same reporter about the same page is not kept twice.
CREATE OR REPLACE FUNCTION save_report(
  p_report jsonb, p_session bigint, p_user bigint, p_budget jsonb, p_address text, p_mail_to text,
  p_mail bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  spent jsonb := take_budget(p_budget, p_address);
  told reports := jsonb_populate_record(NULL::reports, p_report);
  kept bigint;
BEGIN
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  told.target_id := CASE WHEN told.target_kind IN ('user', 'track', 'playlist') THEN coalesce(told.target_id,
    linked_id(told.target_kind, p_report->>'owner', p_report->>'permalink')) ELSE told.target_id END;
  -- The cookie may be of a session that ended, and of a user who left.
  told.reporter_id := CASE WHEN session_is_live(p_session, 'site', p_user) THEN p_user END;
  IF told.target_kind <> 'page' AND told.target_id IS NULL THEN
    told.target_kind := 'page';
  END IF;
  SELECT r.id INTO kept FROM reports r
  WHERE r.target_kind = told.target_kind AND r.state = 'open' AND r.url = told.url AND r.reason = told.reason
    AND r.details = told.details AND r.reporter_id IS NOT DISTINCT FROM told.reporter_id
    AND r.target_id IS NOT DISTINCT FROM told.target_id AND r.email IS NOT DISTINCT FROM told.email;
  IF kept IS NULL THEN
    INSERT INTO reports (target_kind, target_id, url, reason, details, reporter_id, email)
    VALUES (told.target_kind, told.target_id, told.url, told.reason, told.details, told.reporter_id, told.email)
    RETURNING id INTO kept;
    IF p_mail_to IS NOT NULL THEN
      PERFORM queue_mail(NULL, 'report', p_mail_to, NULL, p_mail, NULL);
    END IF;
  END IF;
  RETURN json_build_object('outcome', 'done', 'spent', spent, 'id', kept);
END $$;
