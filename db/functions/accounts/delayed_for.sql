-- Returns the seconds until a bucket accepts its next attempt. The sixth within an hour waits one second. Each further
-- one doubles that, up to five minutes. Early attempts are refused and not counted.
CREATE OR REPLACE FUNCTION delayed_for(p_bucket text) RETURNS integer LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((
    SELECT greatest(0, ceil(extract(epoch FROM max(f.failed_at) - clock_timestamp()) + least(300, 2 ^ (count(*) - 6))))
    FROM failures f WHERE f.bucket = p_bucket AND f.failed_at > clock_timestamp() - interval '1 hour'
    HAVING count(*) >= 6), 0)::integer
$$;
