-- Deletes mails that failed and are older than 30 days, by id, which orders by time.
CREATE OR REPLACE FUNCTION forget_mails() RETURNS integer LANGUAGE sql AS $$
  WITH forgotten AS (
    DELETE FROM mails
    WHERE state = 'failed' AND id < first_id_at(now() - interval '30 days')
    RETURNING 1)
  SELECT count(*)::integer FROM forgotten
$$;
