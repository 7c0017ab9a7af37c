-- Deletes up to `p_limit` marks that no longer stop a play from counting.
CREATE OR REPLACE FUNCTION forget_play_marks(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH forgotten AS (
    DELETE FROM play_marks WHERE mark IN (
      SELECT mark FROM play_marks WHERE counted_at < now() - interval '390 minutes' LIMIT p_limit FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::integer FROM forgotten
$$;
