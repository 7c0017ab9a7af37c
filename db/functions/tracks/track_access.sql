-- Returns a viewer's access to a track. Every query that returns tracks uses it or `track_access_rule`.
CREATE OR REPLACE FUNCTION track_access(t tracks, p_viewer bigint, p_secret_hash bytea, p_country text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  closed boolean := t.sharing = 'private' AND t.secret_hash IS DISTINCT FROM p_secret_hash;
  paying boolean := false;
BEGIN
  IF closed THEN
    closed := NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_viewer)
      -- A playlist's secret opens its owner's private tracks in it.
      AND NOT EXISTS (SELECT FROM playlists p JOIN playlist_tracks e ON e.playlist_id = p.id
        WHERE p.secret_hash = p_secret_hash AND p.user_id = t.user_id AND e.track_id = t.id);
  END IF;
  IF t.paywall IS NOT NULL THEN
    paying := EXISTS (SELECT FROM users u WHERE u.id = p_viewer AND u.plan <> 'free');
  END IF;
  RETURN track_access_rule(
    EXISTS (SELECT FROM users o WHERE o.id = t.user_id AND o.disabled_at IS NOT NULL),
    t.taken_down_at IS NOT NULL, t.user_id = p_viewer, closed, t.streamable,
    t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
    t.paywall, paying);
END $$;
