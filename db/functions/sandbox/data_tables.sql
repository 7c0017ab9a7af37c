-- Lists every table with data, parents first. Excludes tables that describe the database's own structure and storage, the
-- running transcoders, the audit log, which outlives what it names, the history of the service's status, and what apps use that
-- ends, or its mails would come anew each day.
CREATE OR REPLACE FUNCTION data_tables() RETURNS SETOF regclass LANGUAGE plpgsql STABLE AS $$
DECLARE
  waiting oid[] := array(
    SELECT oid FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('object_garbage', 'kept_objects', 'transcoders', 'audit_log', 'status_days', 'incidents', 'incident_updates',
        'deprecated_uses', 'deprecation_notices')
    ORDER BY relname);
  free oid[];
BEGIN
  WHILE waiting <> '{}' LOOP
    free := array(
      SELECT t FROM unnest(waiting) t WHERE NOT EXISTS (
        SELECT FROM pg_constraint
        WHERE contype = 'f' AND conrelid = t AND confrelid <> t AND confrelid = ANY (waiting)));
    IF free = '{}' THEN
      RAISE 'tables refer to each other in a circle: %', waiting::regclass[];
    END IF;
    RETURN QUERY SELECT t::regclass FROM unnest(free) t;
    waiting := array(SELECT t FROM unnest(waiting) t WHERE t <> ALL (free));
  END LOOP;
END $$;
