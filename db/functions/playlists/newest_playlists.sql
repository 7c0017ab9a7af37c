-- Returns the places of the first `p_limit` playlists below `p_before`, newest first: public ones and the reader's own. An owner's
-- are placed by their first publication, all others by id.
CREATE OR REPLACE FUNCTION newest_playlists(p_user bigint, p_owner bigint, p_ids bigint[], p_before bigint, p_limit integer)
RETURNS bigint[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(f.place ORDER BY f.place DESC), '{}') FROM (
    (SELECT p.id AS place FROM playlists p JOIN users o ON o.id = p.user_id
      WHERE p_owner IS NULL AND p_ids IS NULL AND p.sharing = 'public' AND p.id < p_before AND o.disabled_at IS NULL
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.id FROM playlists p
      WHERE p_owner IS NULL AND p_ids IS NULL AND p.user_id = p_user AND p.id < p_before
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.published_id FROM playlists p
      WHERE p.user_id = p_owner AND p_ids IS NULL AND (p.sharing = 'public' OR p.user_id = p_user) AND p.published_id < p_before
      ORDER BY p.published_id DESC LIMIT p_limit)
    UNION
    (SELECT l.place FROM playlists p, LATERAL (SELECT CASE WHEN p_owner IS NULL THEN p.id ELSE p.published_id END AS place) l
      WHERE p.id = ANY (p_ids) AND playlist_is_visible(p, p_user, NULL) AND (p_owner IS NULL OR p.user_id = p_owner)
        AND l.place < p_before)
    ORDER BY place DESC LIMIT p_limit) f
$$;
