-- Deletes one mail, or all that failed. Returns the number.
CREATE OR REPLACE FUNCTION drop_mails(p_id bigint) RETURNS integer LANGUAGE sql AS $$
  WITH dropped AS (
    DELETE FROM mails WHERE id = p_id OR p_id IS NULL AND state = 'failed' RETURNING 1)
  SELECT count(*)::integer FROM dropped
$$;
