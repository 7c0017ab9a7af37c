-- Deletes some log entries older than 30 days, by id, which orders by time.
CREATE OR REPLACE FUNCTION forget_webhook_deliveries(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH forgotten AS (
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE state <> 'pending'
        AND id < first_id_at(now() - interval '30 days')
      ORDER BY id LIMIT p_limit FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::integer FROM forgotten
$$;
