-- Returns a snapshot of what a replica is sure to have, and of all that was in `p_since`, which may be the primary's and
-- newer. A replica's own snapshot does not list the transactions in flight: it is sure only of those below its oldest id.
CREATE OR REPLACE FUNCTION replica_snapshot(p_since pg_snapshot) RETURNS pg_snapshot LANGUAGE plpgsql STABLE AS $$
DECLARE
  oldest CONSTANT xid8 := pg_snapshot_xmin(pg_current_snapshot());
  beyond CONSTANT xid8 := greatest(oldest, pg_snapshot_xmax(p_since));
  lacking CONSTANT xid8[] := ARRAY(SELECT id FROM pg_snapshot_xip(p_since) id WHERE id >= oldest ORDER BY id);
BEGIN
  RETURN format('%s:%s:%s', coalesce(lacking[1], beyond), beyond, array_to_string(lacking, ','));
END $$;
