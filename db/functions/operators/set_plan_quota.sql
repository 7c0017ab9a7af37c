-- Sets the limits of a plan; null is no limit. `p_changes` names those to change.
CREATE OR REPLACE FUNCTION set_plan_quota(p_by jsonb, p_plan text, p_changes jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  wanted plan_quotas;
BEGIN
  PERFORM begin_act(p_by);
  INSERT INTO plan_quotas (plan) VALUES (p_plan) ON CONFLICT DO NOTHING;
  SELECT * INTO wanted FROM plan_quotas WHERE plan = p_plan FOR UPDATE;
  wanted := jsonb_populate_record(wanted, p_changes);
  UPDATE plan_quotas SET seconds = wanted.seconds, bytes = wanted.bytes, tracks = wanted.tracks WHERE plan = p_plan;
  PERFORM note_act(p_by, 'plan.quota', 'plan', NULL, p_plan, p_changes);
  RETURN to_json(wanted);
END $$;
