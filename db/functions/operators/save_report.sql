-- Puts a report into the queue and counts it in the budget of the reporter's address. A report that repeats an open one of
-- the same reporter about the same page is not kept twice.
CREATE OR REPLACE FUNCTION save_report(
  p_report jsonb, p_session bigint, p_user bigint, p_budget jsonb, p_address text, p_mail_to text,
  p_mail bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  spent jsonb := take_budget(p_budget, p_address);
  report reports := jsonb_populate_record(NULL::reports, p_report);
  report_id bigint;
BEGIN
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  report.target_id := CASE WHEN report.target_kind IN ('user', 'track', 'playlist') THEN coalesce(
    (SELECT s.track_id FROM superseded_tracks s WHERE s.id = report.target_id AND report.target_kind = 'track'), report.target_id,
    linked_id(report.target_kind, p_report->>'owner', p_report->>'permalink')) ELSE report.target_id END;
  -- The cookie may be of a session that ended, and of a user who left.
  report.reporter_id := CASE WHEN session_is_live(p_session, 'site', p_user) THEN p_user END;
  IF report.target_kind <> 'page' AND report.target_id IS NULL THEN
    report.target_kind := 'page';
  END IF;
  SELECT r.id INTO report_id FROM reports r
  WHERE r.target_kind = report.target_kind AND r.state = 'open' AND r.url = report.url AND r.reason = report.reason
    AND r.details = report.details AND r.reporter_id IS NOT DISTINCT FROM report.reporter_id
    AND r.target_id IS NOT DISTINCT FROM report.target_id AND r.email IS NOT DISTINCT FROM report.email;
  IF report_id IS NULL THEN
    INSERT INTO reports (target_kind, target_id, url, reason, details, reporter_id, email)
    VALUES (report.target_kind, report.target_id, report.url, report.reason, report.details, report.reporter_id, report.email)
    RETURNING id INTO report_id;
    IF p_mail_to IS NOT NULL THEN
      PERFORM queue_mail(NULL, 'report', p_mail_to, NULL, p_mail, NULL);
    END IF;
  END IF;
  RETURN json_build_object('outcome', 'done', 'spent', spent, 'id', report_id);
END $$;
