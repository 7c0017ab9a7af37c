-- Returns a track for representation. The caller must have found the access.
CREATE OR REPLACE FUNCTION track_row(t tracks, p_viewer bigint, p_access text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT t.id, t.user_id, id_created_at(t.id) AS created_at, t.updated_at, t.title, t.permalink, t.artist,
      t.description, t.genre, t.tag_list, t.track_type, t.license, t.label_id, t.label_name, t.release, t.release_day,
      t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature, t.purchase_url, t.purchase_title, t.video_url,
      CASE WHEN t.taken_down_at IS NULL THEN t.artwork_version END AS artwork_version, t.artwork_colors, t.sharing, t.embeddable_by,
      CASE WHEN t.artists IS NOT NULL THEN shown_artists(t.id, t.user_id, t.artists, p_viewer) END AS artists,
      CASE WHEN t.user_id = p_viewer THEN t.publish_at END AS publish_at,
      CASE WHEN t.sharing = 'public' OR t.was_public THEN id_created_at(t.published_id) END AS published_at,
      CASE WHEN t.user_id = p_viewer THEN t.original_deleted_at END AS original_deleted_at,
      t.streamable, t.downloadable, t.commentable,
      t.reveal_comments, t.reveal_stats,
      t.available_country_codes, t.state, t.original_format, t.original_content_size, t.duration_ms, t.media_prefix,
      t.media->'loudness' AS loudness,
      t.comment_count + coalesce(d.comments, 0) AS comment_count,
      t.download_count + coalesce(d.downloads, 0) AS download_count,
      t.playback_count + coalesce(d.plays, 0) AS playback_count,
      t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings_count,
      t.reposts_count + coalesce(d.reposts, 0) AS reposts_count,
      CASE WHEN t.state = 'processing' THEN (
        SELECT json_build_object('media_prefix', 't/' || t.id || '/' || j.lease_token || '/', 'sample_rate', j.sample_rate,
          'segments_ready', j.segments_ready)
        FROM encoding_jobs j WHERE j.track_id = t.id AND j.state = 'leased' AND j.segments_ready > 0) END AS growing,
      CASE WHEN t.taken_down_at IS NULL THEN p_access ELSE 'blocked' END AS access, t.user_id = p_viewer AS owned,
      CASE WHEN p_viewer IS NOT NULL THEN
        EXISTS (SELECT FROM favorites f WHERE f.user_id = p_viewer AND f.track_id = t.id) END AS user_favorite,
      CASE WHEN p_viewer IS NOT NULL THEN coalesce((SELECT p.plays FROM user_plays p
        WHERE p.user_id = p_viewer AND p.track_id = t.id), 0) END AS user_playback_count,
      CASE WHEN t.user_id = p_viewer THEN t.paywall END AS paywall,
      encode(t.secret_hash, 'hex') AS secret_hash,
      CASE WHEN t.user_id = p_viewer THEN encode(t.secret_sealed, 'base64') END AS secret_sealed,
      mini_user(t.user_id) AS user,
      (SELECT mini_user(l.id) FROM users l WHERE l.id = t.label_id AND l.disabled_at IS NULL) AS label,
      (SELECT to_json(a) FROM (SELECT a.id, a.name, a.permalink, a.external_url FROM apps a
        WHERE a.id = t.app_id AND NOT a.first_party AND a.disabled_at IS NULL) a) AS created_with,
      CASE WHEN t.user_id = p_viewer THEN (SELECT to_json(e) FROM (
        SELECT j.progress, j.segments_ready, j.failure_reason, j.failure_retryable,
          coalesce(t.media->'warnings', '[]') AS warnings, j.attempt, j.started_at, j.finished_at
        FROM encoding_jobs j WHERE j.track_id = t.id) e) END AS encoding,
      CASE WHEN t.user_id = p_viewer AND t.taken_down_at IS NOT NULL THEN (
        SELECT json_build_object('reason', k.reason, 'created_at', k.created_at) FROM takedowns k WHERE k.track_id = t.id) END AS takedown
    FROM (SELECT sum(d.delta) FILTER (WHERE d.counter = 'comment_count') AS comments,
        sum(d.delta) FILTER (WHERE d.counter = 'download_count') AS downloads,
        sum(d.delta) FILTER (WHERE d.counter = 'playback_count') AS plays,
        sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count') AS favoritings,
        sum(d.delta) FILTER (WHERE d.counter = 'reposts_count') AS reposts
      FROM counter_deltas d WHERE d.subject_id = t.id AND d.kind = 'track') d) r
$$;
