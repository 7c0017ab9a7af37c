CREATE OR REPLACE FUNCTION webhook_delivery_row(d webhook_deliveries) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', d.id, 'webhook_id', d.webhook_id, 'occurred_at', id_created_at(d.id), 'event', d.event,
    'data', d.data, 'state', d.state, 'attempts', d.attempts, 'next_attempt_at', d.next_attempt_at)
$$;
