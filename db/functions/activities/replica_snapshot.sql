-- Returns a snapshot of what a replica is sure to have, and of all that was in the moment `p_since`, which may be the primary's
-- and newer. A replica's own snapshot does not list the transactions in flight: it is sure only of those below its oldest id.
CREATE OR REPLACE FUNCTION replica_snapshot(p_since jsonb) RETURNS pg_snapshot LANGUAGE plpgsql STABLE AS $$
DECLARE
  present CONSTANT pg_snapshot := pg_current_snapshot();
  oldest CONSTANT xid8 := pg_snapshot_xmin(present);
  since pg_snapshot := (p_since->>'snapshot')::pg_snapshot;
  beyond xid8;
  lacking xid8[];
BEGIN
  -- A replica is seconds behind. One that lacks a moment of a minute ago is of a restored database, which counts anew.
  IF pg_snapshot_xmax(since) > pg_snapshot_xmax(present)
      AND (p_since->>'settled')::bigint < first_id_at(now() - interval '11 minutes') THEN
    since := NULL;
  END IF;
  beyond := greatest(oldest, pg_snapshot_xmax(since));
  lacking := ARRAY(SELECT id FROM pg_snapshot_xip(since) id WHERE id >= oldest ORDER BY id);
  RETURN format('%s:%s:%s', coalesce(lacking[1], beyond), beyond, array_to_string(lacking, ','));
END $$;
