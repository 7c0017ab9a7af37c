-- The reply to a change of a track that is not the caller's: they may see it, or for them there is none.
CREATE OR REPLACE FUNCTION not_own_track(p_user bigint, p_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('outcome', CASE WHEN EXISTS (
    SELECT FROM tracks t WHERE t.id = p_id AND track_access(t, p_user, NULL, NULL) <> 'none')
    THEN 'not_yours' ELSE 'unknown' END)
$$;
