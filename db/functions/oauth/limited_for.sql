-- Returns the seconds until a bucket of the sliding log has room; 0 if it has.
CREATE OR REPLACE FUNCTION limited_for(p_bucket text, p_limit integer, p_window interval) RETURNS integer
LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((
    SELECT ceil(extract(epoch FROM f.failed_at + p_window - clock_timestamp()))::integer
    FROM failures f WHERE f.bucket = p_bucket AND f.failed_at > clock_timestamp() - p_window
    ORDER BY f.failed_at DESC OFFSET p_limit - 1 LIMIT 1), 0)
$$;
