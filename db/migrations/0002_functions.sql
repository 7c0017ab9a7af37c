-- Functions keep their plan where the driver sends unnamed statements. They are versioned by name, so that old and new
-- Workers live together on one database. Some name tables of later migrations.
SET LOCAL check_function_bodies = off;

CREATE FUNCTION session_is_live_v1(p_session bigint, p_client text, p_user bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM sessions s JOIN apps a ON a.id = s.app_id
    WHERE s.id = p_session AND a.client_id = p_client AND s.user_id IS NOT DISTINCT FROM p_user
      AND s.revoked_at IS NULL AND s.expires_at > now() AND a.disabled_at IS NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = s.user_id AND u.disabled_at IS NOT NULL))
$$;

-- The visibility rule: none, blocked, preview or playable. Without a query of its own, so that lists can have it inlined.
CREATE FUNCTION track_access_rule_v1(
  p_owner_left boolean, p_own boolean, p_closed boolean, p_streamable boolean, p_abroad boolean, p_paywall text, p_paying boolean
) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN p_owner_left THEN 'none'
    WHEN p_own THEN 'playable'
    WHEN p_closed THEN 'none'
    WHEN NOT p_streamable OR p_abroad THEN 'blocked'
    WHEN p_paywall IS NOT NULL AND NOT p_paying THEN p_paywall
    ELSE 'playable'
  END
$$;

-- Every query that returns tracks uses it, or the rule above.
CREATE FUNCTION track_access_v1(t tracks, p_viewer bigint, p_secret_hash bytea, p_country text) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT track_access_rule_v1(
    EXISTS (SELECT FROM users o WHERE o.id = t.user_id AND o.disabled_at IS NOT NULL),
    t.user_id = p_viewer,
    t.sharing = 'private' AND t.secret_hash IS DISTINCT FROM p_secret_hash
      AND NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_viewer)
      -- The secret of a playlist opens what is its owner's own in it.
      AND NOT EXISTS (SELECT FROM playlists p JOIN playlist_tracks e ON e.playlist_id = p.id
        WHERE p.secret_hash = p_secret_hash AND p.user_id = t.user_id AND e.track_id = t.id),
    t.streamable,
    t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
    t.paywall,
    EXISTS (SELECT FROM users u WHERE u.id = p_viewer AND u.plan <> 'free'))
$$;

CREATE FUNCTION mini_user_v1(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT u.id, u.permalink, u.username, u.avatar_version, u.updated_at FROM users u WHERE u.id = p_user) r
$$;

-- A track as its representation needs it, for a caller whose access was found before.
CREATE FUNCTION track_row_v1(t tracks, p_viewer bigint, p_access text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT t.id, t.user_id, id_created_at(t.id) AS created_at, t.updated_at, t.title, t.permalink, t.artist,
      t.description, t.genre, t.tag_list, t.track_type, t.license, t.label_id, t.label_name, t.release, t.release_day,
      t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature, t.purchase_url, t.purchase_title, t.video_url,
      t.artwork_version, t.sharing, t.embeddable_by, t.streamable, t.downloadable, t.commentable,
      t.available_country_codes, t.state, t.original_format, t.original_content_size, t.duration_ms, t.media_prefix,
      t.comment_count + coalesce(d.comments, 0) AS comment_count,
      t.download_count + coalesce(d.downloads, 0) AS download_count,
      t.playback_count + coalesce(d.plays, 0) AS playback_count,
      t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings_count,
      p_access AS access, t.user_id = p_viewer AS owned,
      CASE WHEN p_viewer IS NOT NULL THEN
        EXISTS (SELECT FROM favorites f WHERE f.user_id = p_viewer AND f.track_id = t.id) END AS user_favorite,
      CASE WHEN t.user_id = p_viewer THEN t.paywall END AS paywall,
      encode(t.secret_hash, 'hex') AS secret_hash,
      CASE WHEN t.user_id = p_viewer THEN encode(t.secret_sealed, 'base64') END AS secret_sealed,
      mini_user_v1(t.user_id) AS user,
      CASE WHEN t.label_id IS NOT NULL THEN mini_user_v1(t.label_id) END AS label,
      (SELECT to_json(a) FROM (SELECT a.id, a.name, a.permalink, a.external_url FROM apps a
        WHERE a.id = t.app_id AND NOT a.first_party) a) AS created_with,
      CASE WHEN t.user_id = p_viewer THEN (SELECT to_json(j) FROM (
        SELECT j.progress, j.failure_reason, j.failure_retryable, j.attempt, j.started_at, j.finished_at
        FROM encoding_jobs j WHERE j.track_id = t.id) j) END AS encoding
    FROM (SELECT sum(d.delta) FILTER (WHERE d.counter = 'comment_count') AS comments,
        sum(d.delta) FILTER (WHERE d.counter = 'download_count') AS downloads,
        sum(d.delta) FILTER (WHERE d.counter = 'playback_count') AS plays,
        sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count') AS favoritings
      FROM counter_deltas d WHERE d.subject_id = t.id AND d.kind = 'track') d) r
$$;

CREATE FUNCTION find_track_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'track', (
    SELECT track_row_v1(t, p_user, a.access)
    FROM tracks t, LATERAL (SELECT track_access_v1(t, p_user, p_secret_hash, p_country) AS access OFFSET 0) a
    WHERE t.id = p_id AND a.access <> 'none'));
END $$;

-- For the site's own pages, whose visitors have no API session.
CREATE FUNCTION find_track_by_permalink_v1(
  p_user_permalink text, p_permalink text, p_viewer bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT track_row_v1(t, p_viewer, a.access)
  FROM users u JOIN tracks t ON t.user_id = u.id AND t.permalink = p_permalink,
    LATERAL (SELECT track_access_v1(t, p_viewer, p_secret_hash, p_country) AS access OFFSET 0) a
  WHERE lower(u.permalink) = lower(p_user_permalink) AND u.disabled_at IS NULL AND a.access <> 'none'
$$;

CREATE FUNCTION find_me_v1(p_session bigint, p_client text, p_user bigint) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'user', (
    SELECT (user_rows_v1(p_user, ARRAY[p_user])->0)::jsonb || jsonb_build_object('plan', u.plan,
      'private_tracks_count', (SELECT count(*) FROM tracks t WHERE t.user_id = u.id AND t.sharing = 'private'),
      'private_playlists_count', u.private_playlists_count + (SELECT coalesce(sum(d.delta), 0) FROM counter_deltas d
        WHERE d.subject_id = u.id AND d.kind = 'user' AND d.counter = 'private_playlists_count'),
      'primary_email_confirmed', (SELECT a.confirmed_at IS NOT NULL FROM accounts a WHERE a.user_id = u.id))
    FROM users u WHERE u.id = p_user));
END $$;

CREATE FUNCTION upload_row_v1(u uploads) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT u.id, u.user_id, u.filename, u.size, u.type, u.last_modified,
      CASE WHEN u.status IN ('open', 'completing', 'ready') AND u.expires_at <= now() THEN 'expired' ELSE u.status END AS status,
      u.part_size, u.part_count, u.object_key, u.storage_upload_id, u.track_id, u.error,
      id_created_at(u.id) AS created_at, u.expires_at) r
$$;

-- The lock makes the limit exact: of parallel requests of one user, each sees what the one before it opened.
CREATE FUNCTION open_upload_v1(
  p_session bigint, p_client text, p_user bigint, p_upload jsonb, p_object_key text, p_open_limit integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  opened uploads;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('open_upload'), hashint8(p_user));
  -- Our own statement sent again after its reply was lost: the key is new with each request.
  SELECT * INTO opened FROM uploads WHERE object_key = p_object_key AND user_id = p_user;
  IF FOUND THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'opened', 'upload', upload_row_v1(opened));
  END IF;
  IF (SELECT count(*) FROM uploads WHERE user_id = p_user AND status IN ('open', 'completing') AND expires_at > now()
      -- Those that storage never answered, a minute on, were lost with the request that opened them.
      AND (storage_upload_id IS NOT NULL OR created_at > now() - interval '1 minute')) >= p_open_limit THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'too_many');
  END IF;
  INSERT INTO uploads (user_id, app_id, filename, size, type, last_modified, part_size, part_count, object_key, expires_at)
  VALUES (p_user, (SELECT id FROM apps WHERE client_id = p_client), p_upload->>'filename', (p_upload->>'size')::bigint,
    p_upload->>'type', (p_upload->>'last_modified')::bigint, (p_upload->>'part_size')::integer,
    (p_upload->>'part_count')::integer, p_object_key, now() + interval '24 hours')
  RETURNING * INTO opened;
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_object_key, 'uploads', now() + interval '48 hours');
  RETURN json_build_object('auth_ok', true, 'outcome', 'opened', 'upload', upload_row_v1(opened));
END $$;

-- One upload makes one track: asked again, it answers with the first. The row lock orders parallel requests.
CREATE FUNCTION create_track_v1(
  p_session bigint, p_client text, p_user bigint, p_upload bigint, p_track jsonb, p_permalink text,
  p_secret_hash bytea, p_secret_sealed bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  source uploads;
  made tracks;
  wanted tracks;
  fault text;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO source FROM uploads WHERE id = p_upload AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown_upload');
  END IF;
  IF source.status = 'used' THEN
    SELECT * INTO made FROM tracks WHERE id = source.track_id;
    IF NOT FOUND THEN
      RETURN json_build_object('auth_ok', true, 'outcome', 'unknown_upload');
    END IF;
    RETURN json_build_object('auth_ok', true, 'outcome', 'exists', 'track', track_row_v1(made, p_user, 'playable'));
  END IF;
  IF source.status <> 'ready' OR source.expires_at <= now() THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_ready', 'status', upload_row_v1(source)->>'status');
  END IF;
  wanted := jsonb_populate_record(NULL::tracks, p_track);
  wanted.user_id := p_user;
  wanted.app_id := source.app_id;
  PERFORM lock_permalinks_v1(p_user);
  fault := track_fault_v1(wanted, p_track);
  IF fault IS NOT NULL THEN
    RETURN json_build_object('auth_ok', true, 'outcome', fault);
  END IF;
  made := insert_track_v1(wanted, p_permalink, p_secret_hash, p_secret_sealed, source.object_key, source.filename, source.size);
  UPDATE uploads SET status = 'used', track_id = made.id WHERE id = source.id;
  DELETE FROM object_garbage WHERE prefix = source.object_key;
  RETURN json_build_object('auth_ok', true, 'outcome', 'created', 'track', track_row_v1(made, p_user, 'playable'));
END $$;

-- A private track's media URL carries the start of its secret's hash, never the secret, so that a new secret ends all URLs
-- made before it; `p_by_secret` tells that the secret was also what opened the track.
CREATE FUNCTION find_media_v1(
  p_track bigint, p_viewer bigint, p_secret_prefix text, p_by_secret boolean, p_country text
) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('access', a.access, 'media_prefix', t.media_prefix, 'media', t.media)
  FROM tracks t,
    LATERAL (SELECT p_secret_prefix <> '' AND starts_with(encode(t.secret_hash, 'hex'), p_secret_prefix) AS current OFFSET 0) s,
    LATERAL (SELECT track_access_v1(t, p_viewer, CASE WHEN p_by_secret AND s.current THEN t.secret_hash END, p_country)
      AS access OFFSET 0) a
  WHERE t.id = p_track AND t.state = 'finished' AND a.access IN ('playable', 'preview')
    AND (t.sharing = 'public' OR s.current)
$$;

CREATE FUNCTION find_upload_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'upload', (
    SELECT upload_row_v1(u) FROM uploads u WHERE u.id = p_id AND u.user_id = p_user));
END $$;

-- The newest hundred: to resume after a reload, not to browse.
CREATE FUNCTION list_uploads_v1(p_session bigint, p_client text, p_user bigint, p_status text) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'uploads', coalesce((
    SELECT json_agg(r.row ORDER BY r.id DESC) FROM (
      SELECT u.id, upload_row_v1(u) AS row FROM uploads u WHERE u.user_id = p_user
        AND (p_status IS NULL OR upload_row_v1(u)->>'status' = p_status)
      ORDER BY u.id DESC LIMIT 100) r), '[]'));
END $$;

-- Classic upload. Until a track is made of it, the object is garbage: a request that ends early leaves nothing for long.
CREATE FUNCTION begin_classic_upload_v1(p_session bigint, p_client text, p_user bigint, p_object_key text) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_object_key, 'uploads', now() + interval '24 hours');
  RETURN json_build_object('auth_ok', true);
END $$;

-- The object stands. An upload that is ready and the track that uses it, in one transaction; repeated, the same track.
CREATE FUNCTION create_classic_track_v1(
  p_session bigint, p_client text, p_user bigint, p_object_key text, p_filename text, p_size bigint, p_type text,
  p_track jsonb, p_permalink text, p_secret_hash bytea, p_secret_sealed bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  received bigint;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT id INTO received FROM uploads WHERE object_key = p_object_key AND user_id = p_user;
  IF NOT FOUND THEN
    -- Past its time the sweep may be deleting it.
    PERFORM FROM object_garbage WHERE prefix = p_object_key AND due_at > now() FOR UPDATE;
    IF NOT FOUND THEN
      RETURN json_build_object('auth_ok', true, 'outcome', 'not_ready', 'status', 'expired');
    END IF;
    INSERT INTO uploads (user_id, app_id, filename, size, type, status, part_size, part_count, object_key, expires_at)
    VALUES (p_user, (SELECT id FROM apps WHERE client_id = p_client), p_filename, p_size, p_type, 'ready', p_size, 1,
      p_object_key, now() + interval '24 hours')
    RETURNING id INTO received;
  END IF;
  RETURN create_track_v1(p_session, p_client, p_user, received, p_track, p_permalink, p_secret_hash, p_secret_sealed);
END $$;
