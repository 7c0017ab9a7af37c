-- Returns a dead letter as operators see one.
CREATE OR REPLACE FUNCTION dead_letter_row(d dead_letters) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', d.id, 'queue', d.queue, 'body', d.body, 'created_at', id_created_at(d.id),
    'retry_at', d.retry_at)
$$;
