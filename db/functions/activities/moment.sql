-- Returns a snapshot for lists ordered by time-ordered ids. Ids precede their commits, so paging by the newest id would
-- lose rows in flight. Ids up to `settled` need no check: no transaction stays open that long.
CREATE OR REPLACE FUNCTION moment(p_since jsonb DEFAULT NULL) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('settled', first_id_at(now() - interval '10 minutes'),
    'snapshot', CASE WHEN pg_is_in_recovery() THEN replica_snapshot(p_since)
      ELSE pg_current_snapshot() END::text)
$$;
