-- Returns what an embedded player plays, in its page's order: one track, or those of a playlist or a user. Null if this
-- visitor can see nothing there, or the owner allows no embedding.
CREATE OR REPLACE FUNCTION embedded_sounds(
  p_kind text, p_id bigint, p_owner text, p_permalink text, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  newest CONSTANT integer := 50;
  meant bigint := coalesce(p_id, linked_id(p_kind, p_owner, p_permalink));
BEGIN
  IF p_kind = 'track' THEN
    RETURN (SELECT json_agg(track_row(t, NULL, a.access)) FROM tracks t,
      LATERAL (SELECT track_access(t, NULL, p_secret_hash, p_country) AS access OFFSET 0) a
      WHERE t.id = meant AND t.embeddable_by = 'all' AND a.access <> 'none');
  ELSIF p_kind = 'playlist' THEN
    RETURN (SELECT (SELECT coalesce(json_agg(track_row(e.t, NULL, e.access) ORDER BY e.position), '[]')
        FROM playlist_entries(p, NULL, p_secret_hash, p_country) e)
      FROM playlists p
      WHERE p.id = meant AND p.embeddable_by = 'all' AND playlist_is_visible(p, NULL, p_secret_hash));
  ELSIF p_kind = 'user' THEN
    RETURN (SELECT (SELECT coalesce(json_agg(track_row(n.t, NULL, track_access(n.t, NULL, NULL, p_country))
        ORDER BY (n.t).id DESC), '[]')
        FROM (SELECT t FROM tracks t WHERE t.user_id = u.id AND t.sharing = 'public' AND t.state <> 'failed'
          ORDER BY t.id DESC LIMIT newest) n)
      FROM users u WHERE u.id = meant AND u.disabled_at IS NULL);
  END IF;
  RETURN NULL;
END $$;
