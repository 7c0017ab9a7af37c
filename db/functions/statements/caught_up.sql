-- True, or fails with SR000 before the statement reads a row on a replica that lacks what the reader has seen, or whose
-- last commit is older than `p_within`. It looks at the statement's own snapshot: on a replica only ids below its
-- oldest are sure to be in it.
CREATE OR REPLACE FUNCTION caught_up(p_after xid8, p_within interval) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF pg_is_in_recovery() AND pg_snapshot_xmin(pg_current_snapshot()) <= p_after THEN
    RAISE 'the replica lacks a change of this reader' USING ERRCODE = 'SR000';
  ELSIF pg_is_in_recovery() AND (clock_timestamp() - pg_last_xact_replay_timestamp() < p_within) IS NOT TRUE THEN
    RAISE 'the replica is too far behind' USING ERRCODE = 'SR000', DETAIL = 'behind';
  END IF;
  RETURN true;
END $$;
