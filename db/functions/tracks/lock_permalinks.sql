-- Orders a user's requests that choose permalinks, so that each sees earlier choices.
CREATE OR REPLACE FUNCTION lock_permalinks(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('track_permalink'), hashint8(p_user))
$$;
