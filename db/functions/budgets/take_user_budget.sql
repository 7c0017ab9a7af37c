-- Counts one request against the budget that a user has in one app, and against the one of all the user's apps together,
-- `all_apps` of the budget. A refusal counts against neither. Returns whichever has less left.
CREATE OR REPLACE FUNCTION take_user_budget(p_budget jsonb, p_user bigint, p_client text) RETURNS jsonb
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  in_app CONSTANT text := p_user || ' ' || p_client;
  own jsonb := take_budget(p_budget, in_app);
  shared jsonb;
BEGIN
  IF (own->>'refused')::boolean OR p_budget->>'all_apps' IS NULL THEN
    RETURN own;
  END IF;
  shared := take_budget(p_budget || jsonb_build_object('max', p_budget->'all_apps'), p_user::text)
    || '{"all_apps": true}';
  IF (shared->>'refused')::boolean THEN
    UPDATE budgets SET taken = taken - 1 WHERE bucket = p_budget->>'name' || ' ' || in_app;
    RETURN shared;
  END IF;
  RETURN CASE WHEN (shared->>'remaining')::integer < (own->>'remaining')::integer THEN shared ELSE own END;
END $$;
