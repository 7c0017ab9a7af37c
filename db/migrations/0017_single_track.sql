-- A single track, which most ask for who do not own it, again and again.

-- The owner's own, and private ones, come whole. Of others' public tracks there comes `now`, which differs from reader to
-- reader and from moment to moment, and the body, unless the asking isolate holds it: `p_known` is its version, as
-- `track_page_v1` makes them. One query, so that PostgreSQL keeps its plan.
CREATE FUNCTION find_track_v2(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_known text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN coalesce((
    SELECT CASE WHEN t.user_id = p_user OR t.sharing = 'private' THEN
      json_build_object('auth_ok', true, 'whole', track_row_v1(t, p_user, v.access))
    ELSE
      json_build_object('auth_ok', true, 'version', v.version,
        'body', CASE WHEN v.version IS DISTINCT FROM p_known THEN track_row_v1(t, p_user, v.access) END,
        'now', (SELECT to_json(n) FROM (
          SELECT v.access,
            CASE WHEN p_user IS NOT NULL THEN
              EXISTS (SELECT FROM favorites f WHERE f.user_id = p_user AND f.track_id = t.id) END AS user_favorite,
            t.comment_count + coalesce(d.comments, 0) AS comment_count,
            t.download_count + coalesce(d.downloads, 0) AS download_count,
            t.playback_count + coalesce(d.plays, 0) AS playback_count,
            t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings_count
          FROM (SELECT sum(delta) FILTER (WHERE counter = 'comment_count') AS comments,
              sum(delta) FILTER (WHERE counter = 'download_count') AS downloads,
              sum(delta) FILTER (WHERE counter = 'playback_count') AS plays,
              sum(delta) FILTER (WHERE counter = 'favoritings_count') AS favoritings
            FROM counter_deltas WHERE subject_id = t.id AND kind = 'track') d) n))
    END
    FROM tracks t
    JOIN users o ON o.id = t.user_id
    LEFT JOIN users l ON l.id = t.label_id
    LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party
    CROSS JOIN LATERAL (SELECT concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin) AS version,
      -- Asked as `track_access_v1` asks.
      track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user,
        t.sharing = 'private' AND t.secret_hash IS DISTINCT FROM p_secret_hash
          AND NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_user)
          AND NOT EXISTS (SELECT FROM playlists p JOIN playlist_tracks e ON e.playlist_id = p.id
            WHERE p.secret_hash = p_secret_hash AND p.user_id = t.user_id AND e.track_id = t.id),
        t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
        t.paywall, EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free')) AS access OFFSET 0) v
    WHERE t.id = p_id AND v.access <> 'none'), json_build_object('auth_ok', true));
END $$;
