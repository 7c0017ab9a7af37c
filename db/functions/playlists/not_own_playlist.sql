-- Returns the refusal for another user's playlist: `not_yours` if the caller sees it, otherwise `unknown`.
CREATE OR REPLACE FUNCTION not_own_playlist(p_user bigint, p_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('outcome', CASE WHEN EXISTS (
    SELECT FROM playlists p WHERE p.id = p_id AND playlist_is_visible(p, p_user, NULL)) THEN 'not_yours' ELSE 'unknown' END)
$$;
