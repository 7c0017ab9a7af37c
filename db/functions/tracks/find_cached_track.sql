-- Finds a track, omitting the body if `p_version` is the present one. Small queries run in turn, only if their rows can
-- exist.
CREATE OR REPLACE FUNCTION find_cached_track(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_version text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  r record;
  label_version xid;
  app_version xid;
  paying boolean := false;
  version text;
  access text := 'none';
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT t.xmin AS track_version, o.xmin AS owner_version, o.disabled_at, t.streamable, t.available_country_codes, t.paywall,
    t.label_id, t.app_id, t.comment_count, t.download_count, t.playback_count, t.favoritings_count, t.reposts_count,
    CASE WHEN p_user IS NOT NULL THEN
      EXISTS (SELECT FROM favorites f WHERE f.user_id = p_user AND f.track_id = t.id) END AS user_favorite,
    CASE WHEN p_user IS NOT NULL THEN coalesce((SELECT p.plays FROM user_plays p
      WHERE p.user_id = p_user AND p.track_id = t.id), 0) END AS user_playback_count,
    EXISTS (SELECT FROM counter_deltas d WHERE d.subject_id = t.id AND d.kind = 'track') AS is_pending
  INTO r
  FROM tracks t JOIN users o ON o.id = t.user_id
  WHERE t.id = p_id AND t.sharing = 'public' AND t.user_id IS DISTINCT FROM p_user;
  IF FOUND THEN
    IF r.paywall IS NOT NULL THEN
      paying := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
    END IF;
    access := track_access_rule(r.disabled_at IS NOT NULL, false, false, false, r.streamable,
      r.available_country_codes IS NOT NULL AND (p_country = ANY (r.available_country_codes)) IS NOT TRUE, r.paywall, paying);
  END IF;
  IF access = 'none' THEN
    RETURN find_track(p_session, p_client, p_user, p_id, p_secret_hash, p_country);
  END IF;
  IF r.label_id IS NOT NULL THEN
    label_version := (SELECT u.xmin FROM users u WHERE u.id = r.label_id);
  END IF;
  IF r.app_id IS NOT NULL THEN
    app_version := (SELECT a.xmin FROM apps a WHERE a.id = r.app_id AND NOT a.first_party);
  END IF;
  IF r.is_pending THEN
    SELECT r.comment_count + coalesce(sum(d.delta) FILTER (WHERE d.counter = 'comment_count'), 0),
      r.download_count + coalesce(sum(d.delta) FILTER (WHERE d.counter = 'download_count'), 0),
      r.playback_count + coalesce(sum(d.delta) FILTER (WHERE d.counter = 'playback_count'), 0),
      r.favoritings_count + coalesce(sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count'), 0),
      r.reposts_count + coalesce(sum(d.delta) FILTER (WHERE d.counter = 'reposts_count'), 0)
    INTO r.comment_count, r.download_count, r.playback_count, r.favoritings_count, r.reposts_count
    FROM counter_deltas d WHERE d.subject_id = p_id AND d.kind = 'track';
  END IF;
  version := concat_ws('.', r.track_version, r.owner_version, label_version, app_version, nullif(access, 'playable'));
  RETURN json_build_object('version', version,
    'body', CASE WHEN version IS DISTINCT FROM p_version THEN
      (SELECT track_row(t, p_user, access) FROM tracks t WHERE t.id = p_id) END,
    'now', json_build_object('access', access, 'user_favorite', r.user_favorite,
      'user_playback_count', r.user_playback_count, 'comment_count', r.comment_count,
      'download_count', r.download_count, 'playback_count', r.playback_count, 'favoritings_count', r.favoritings_count,
      'reposts_count', r.reposts_count));
END $$;
