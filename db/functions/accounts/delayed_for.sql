-- Seconds until a bucket takes its next attempt: from the sixth within an hour on one second after it, then twice as long
-- after each, five minutes at most. Nobody waits inside: whoever comes too early is refused, and counts for nothing.
CREATE OR REPLACE FUNCTION delayed_for(p_bucket text) RETURNS integer LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((
    SELECT greatest(0, ceil(extract(epoch FROM max(f.failed_at) - clock_timestamp()) + least(300, 2 ^ (count(*) - 6))))
    FROM failures f WHERE f.bucket = p_bucket AND f.failed_at > clock_timestamp() - interval '1 hour'
    HAVING count(*) >= 6), 0)::integer
$$;
