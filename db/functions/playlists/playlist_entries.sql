-- Returns the tracks of a playlist that this reader sees, by the rule of tracks. The playlist's secret also opens its
-- owner's private tracks.
CREATE OR REPLACE FUNCTION playlist_entries(p playlists, p_user bigint, p_secret_hash bytea, p_country text)
RETURNS TABLE ("position" integer, t tracks, access text) LANGUAGE sql STABLE AS $$
  SELECT e.position, t, a.access
  FROM playlist_tracks e JOIN tracks t ON t.id = e.track_id JOIN users o ON o.id = t.user_id,
    LATERAL (SELECT track_access_rule(o.disabled_at IS NOT NULL, t.taken_down_at IS NOT NULL, t.user_id = p_user,
      t.sharing = 'private' AND (t.user_id = p.user_id AND p.secret_hash = p_secret_hash) IS NOT TRUE
        AND NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_user),
      t.streamable,
      t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
      t.paywall,
      (SELECT EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free'))) AS access OFFSET 0) a
  WHERE e.playlist_id = p.id AND a.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
$$;
