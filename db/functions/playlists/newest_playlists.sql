-- Returns the first `p_limit` playlists below `p_before`, newest first: public ones and the reader's own.
CREATE OR REPLACE FUNCTION newest_playlists(p_user bigint, p_owner bigint, p_ids bigint[], p_before bigint, p_limit integer)
RETURNS bigint[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(f.id ORDER BY f.id DESC), '{}') FROM (
    (SELECT p.id FROM playlists p JOIN users o ON o.id = p.user_id
      WHERE p_owner IS NULL AND p_ids IS NULL AND p.sharing = 'public' AND p.id < p_before AND o.disabled_at IS NULL
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.id FROM playlists p
      WHERE p.user_id = p_owner AND p_ids IS NULL AND p.sharing = 'public' AND p.id < p_before
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.id FROM playlists p
      WHERE p.user_id = p_user AND (p_owner IS NULL OR p_owner = p_user) AND p_ids IS NULL AND p.id < p_before
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.id FROM playlists p
      WHERE p.id = ANY (p_ids) AND playlist_is_visible(p, p_user, NULL) AND (p_owner IS NULL OR p.user_id = p_owner)
        AND p.id < p_before)
    ORDER BY id DESC LIMIT p_limit) f
$$;
