-- Returns the events after a position, oldest first. Only transactions before the oldest running one are read: a row with
-- a smaller number could still be committed later, and would be passed over. A restored database counts anew.
CREATE OR REPLACE FUNCTION read_event_stream(
  p_session bigint, p_client text, p_user bigint, p_transaction text, p_after bigint, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  settled xid8 := pg_snapshot_xmin(pg_current_snapshot());
  start xid8 := least(p_transaction::xid8, settled);
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN (
    SELECT coalesce(json_agg(json_build_object('id', e.id, 'transaction', e.transaction::text, 'event', e.event,
      'data', e.data, 'occurred_at', id_created_at(e.id)) ORDER BY e.transaction, e.id), '[]')
    FROM (
      SELECT * FROM stream_events
      WHERE user_id = p_user AND (transaction, id) > (start, p_after) AND transaction < settled
      ORDER BY transaction, id LIMIT p_limit) e);
END $$;
