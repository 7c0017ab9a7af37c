-- Begins or renews the log of a user's events, and returns the transaction from which a new stream reads.
CREATE OR REPLACE FUNCTION open_event_stream(p_session bigint, p_client text, p_user bigint, p_budget jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  INSERT INTO event_streams AS s (user_id) VALUES (p_user)
  ON CONFLICT (user_id) DO UPDATE SET opened_at = now() WHERE s.opened_at < now() - interval '1 minute';
  RETURN json_build_object('outcome', 'open', 'spent', spent, 'transaction', pg_snapshot_xmin(pg_current_snapshot())::text);
END $$;
