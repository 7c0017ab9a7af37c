-- Counts an attempt against several limits, or returns the seconds to wait. Ordered locks make the limits exact. The
-- attempt counts before its outcome is known; callers delete the ids in `taken` after success. Refused ones do not count.
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
  -- The sixth attempt in `p_delayed` within an hour waits one second, and each further one twice as long, up to five minutes.
  SELECT greatest(0, max(full_for.seconds), (
      SELECT ceil(extract(epoch FROM max(f.failed_at) - clock_timestamp()) + least(300, 2 ^ (count(*) - 6)))::integer
      FROM failures f WHERE f.bucket = p_delayed AND f.failed_at > clock_timestamp() - interval '1 hour'
      HAVING count(*) >= 6)) INTO wait
  FROM unnest(p_buckets, p_limits, p_windows) AS b (bucket, most, span), LATERAL (
    SELECT ceil(extract(epoch FROM f.failed_at + b.span - clock_timestamp()))::integer AS seconds
    FROM failures f WHERE f.bucket = b.bucket AND f.failed_at > clock_timestamp() - b.span
    ORDER BY f.failed_at DESC OFFSET b.most - 1 LIMIT 1) full_for;
  IF wait = 0 THEN
    WITH made AS (
      INSERT INTO failures (bucket, failed_at) SELECT b, clock_timestamp() FROM unnest(p_buckets) b RETURNING id)
    SELECT array_agg(id) INTO taken FROM made;
  END IF;
END $$;
