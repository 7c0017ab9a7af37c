-- Counts an attempt against several limits, or returns the seconds to wait. Ordered locks make the limits exact. The
-- attempt counts before its outcome is known; callers delete the ids in `taken` after success.
CREATE OR REPLACE FUNCTION take_attempt(
  p_buckets text[], p_limits integer[], p_windows interval[], p_delayed text DEFAULT NULL,
  OUT wait integer, OUT taken bigint[]
) LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  lock integer;
BEGIN
  FOR lock IN SELECT DISTINCT hashtext(b) FROM unnest(p_buckets) b ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(hashtext('attempt'), lock);
  END LOOP;
  SELECT greatest(max(limited_for(b, l, w)), delayed_for(p_delayed)) INTO wait
  FROM unnest(p_buckets, p_limits, p_windows) AS x (b, l, w);
  IF wait = 0 THEN
    WITH made AS (
      INSERT INTO failures (bucket, failed_at) SELECT b, clock_timestamp() FROM unnest(p_buckets) b RETURNING id)
    SELECT array_agg(id) INTO taken FROM made;
  END IF;
END $$;
