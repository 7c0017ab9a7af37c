-- Returns the limit that another file of `p_bytes` would pass, or null. The lock lasts to the end of the transaction, so that
-- two files cannot pass a limit together. Users without limits pay for neither.
CREATE OR REPLACE FUNCTION quota_refusal(p_user bigint, p_bytes bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  limits record := quota_limits(p_user);
  quota jsonb;
BEGIN
  IF coalesce(limits.seconds, limits.bytes, limits.tracks) IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('open_upload'), hashint8(p_user));
  quota := quota_of(p_user);
  RETURN CASE
    WHEN (quota->>'seconds_used')::bigint >= limits.seconds THEN jsonb_build_object('limit', 'seconds', 'most', limits.seconds, 'left', 0)
    WHEN (quota->>'tracks_used')::bigint >= limits.tracks THEN jsonb_build_object('limit', 'tracks', 'most', limits.tracks, 'left', 0)
    WHEN (quota->>'bytes_used')::bigint + p_bytes > limits.bytes THEN jsonb_build_object('limit', 'bytes', 'most', limits.bytes,
      'left', greatest(0, limits.bytes - (quota->>'bytes_used')::bigint)) END;
END $$;
