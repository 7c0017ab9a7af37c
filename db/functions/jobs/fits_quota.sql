-- Tells whether a track of this length fits into its owner's quota of seconds, which no upload could know before. The lock
-- lets two encodes that end together count each other.
CREATE OR REPLACE FUNCTION fits_quota(p_track bigint, p_duration_ms bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner bigint := (SELECT user_id FROM tracks WHERE id = p_track);
  most bigint := (quota_limits(owner)).seconds;
BEGIN
  IF most IS NULL THEN
    RETURN true;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('open_upload'), hashint8(owner));
  RETURN p_duration_ms + (SELECT coalesce(sum(duration_ms), 0) FROM tracks WHERE user_id = owner AND id <> p_track) <= most * 1000;
END $$;
