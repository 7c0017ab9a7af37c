CREATE OR REPLACE FUNCTION lock_playlist_permalinks(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('playlist_permalink'), hashint8(p_user))
$$;
