-- Of one user's requests that choose permalinks, each sees what the one before it chose.
CREATE OR REPLACE FUNCTION lock_permalinks(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('track_permalink'), hashint8(p_user))
$$;
