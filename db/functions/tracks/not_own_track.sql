-- Returns the refusal for another user's track: `not_yours` if the caller sees it, otherwise `unknown`.
CREATE OR REPLACE FUNCTION not_own_track(p_user bigint, p_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('outcome', CASE WHEN EXISTS (
    SELECT FROM tracks t WHERE t.id = p_id AND track_access(t, p_user, NULL, NULL) <> 'none')
    THEN 'not_yours' ELSE 'unknown' END)
$$;
