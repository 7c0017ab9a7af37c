-- A single track, which most ask for who do not own it, again and again.

-- As `find_track_v1`, but for another's public track: of that there comes `now`, which differs from reader to reader and from
-- moment to moment, and the body, unless the asking isolate holds it. `p_known` is the version that it holds, as
-- `track_page_v1` makes versions.
CREATE FUNCTION find_track_v2(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_known text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  found json;
BEGIN
  IF session_is_live_v1(p_session, p_client, p_user) THEN
    SELECT json_build_object('auth_ok', true, 'version', v.version,
      'body', CASE WHEN v.version IS DISTINCT FROM p_known THEN track_row_v1(t, p_user, v.access) END,
      'now', json_build_object('access', v.access,
        'user_favorite', CASE WHEN p_user IS NOT NULL THEN
          EXISTS (SELECT FROM favorites f WHERE f.user_id = p_user AND f.track_id = t.id) END,
        'comment_count', t.comment_count + coalesce(d.comments, 0),
        'download_count', t.download_count + coalesce(d.downloads, 0),
        'playback_count', t.playback_count + coalesce(d.plays, 0),
        'favoritings_count', t.favoritings_count + coalesce(d.favoritings, 0),
        'reposts_count', t.reposts_count + coalesce(d.reposts, 0)))
    INTO found
    FROM tracks t
    JOIN users o ON o.id = t.user_id
    LEFT JOIN users l ON l.id = t.label_id
    LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party
    CROSS JOIN LATERAL (SELECT concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin) AS version,
      track_access_rule_v1(o.disabled_at IS NOT NULL, false, false, t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
        t.paywall, EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free')) AS access OFFSET 0) v
    CROSS JOIN LATERAL (
      SELECT sum(delta) FILTER (WHERE counter = 'comment_count') AS comments,
        sum(delta) FILTER (WHERE counter = 'download_count') AS downloads,
        sum(delta) FILTER (WHERE counter = 'playback_count') AS plays,
        sum(delta) FILTER (WHERE counter = 'favoritings_count') AS favoritings,
        sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts
      FROM counter_deltas WHERE subject_id = t.id AND kind = 'track') d
    WHERE t.id = p_id AND t.sharing = 'public' AND t.user_id IS DISTINCT FROM p_user AND v.access <> 'none';
  END IF;
  RETURN coalesce(found, find_track_v1(p_session, p_client, p_user, p_id, p_secret_hash, p_country));
END $$;
