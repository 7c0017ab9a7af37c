-- A whole playlist in one pass over its tracks, and media URLs that say which secret opened them.

-- As it was, but for being called what it is: under `IMMUTABLE`, which JSON of times is not, it is never inlined.
CREATE OR REPLACE FUNCTION mini_user_of_v1(u users) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
    'updated_at', u.updated_at)
$$;

-- As `track_page_v1` has the page, which is made of this; with it what a playlist tells of its tracks, of those that are for
-- the reader. In a playlist (`p_in_playlist`) its owner's private tracks are opened by its secret, then `p_opener` is the owner,
-- and others' by having been shared. Of what the reader holds the version stays out too. A whole row named outside a query of
-- its own would be put together for every track, needed or not.
CREATE FUNCTION track_page_v2(
  p_user bigint, p_country text, p_ids bigint[], p_known jsonb, p_opened bigint[], p_in_playlist boolean, p_opener bigint,
  OUT page json, OUT track_ids bigint[], OUT told jsonb
) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  favored bigint[] := CASE WHEN p_user IS NOT NULL THEN
    ARRAY(SELECT track_id FROM favorites WHERE user_id = p_user AND track_id = ANY (p_ids)) END;
BEGIN
  SELECT json_build_object('ids', array_agg(r.id), 'versions', array_agg(CASE WHEN r.body IS NOT NULL THEN r.version END), 'access', array_agg(r.access),
      'comments', array_agg(r.comments), 'downloads', array_agg(r.downloads), 'plays', array_agg(r.plays),
      'favoritings', array_agg(r.favoritings), 'reposts', array_agg(r.reposts),
      'bodies', array_agg(r.body), 'own', array_agg(r.own), 'favored', favored),
    coalesce(array_agg(r.id), '{}'),
    jsonb_build_object('track_count', count(*), 'duration_ms', coalesce(sum(r.duration_ms), 0),
      'streamable', CASE WHEN bool_and(r.streams) = bool_or(r.streams) THEN bool_and(r.streams) END,
      'downloadable', CASE WHEN bool_and(r.downloadable) = bool_or(r.downloadable) THEN bool_and(r.downloadable) END)
  INTO page, track_ids, told
  FROM (
    SELECT t.id, v.version, v.access, t.comment_count + coalesce(d.comments, 0) AS comments,
      t.download_count + coalesce(d.downloads, 0) AS downloads, t.playback_count + coalesce(d.plays, 0) AS plays,
      t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings, t.reposts_count + coalesce(d.reposts, 0) AS reposts,
      t.duration_ms, t.downloadable, CASE WHEN t.user_id = p_user THEN t.streamable ELSE v.access <> 'blocked' END AS streams,
      CASE WHEN t.user_id = p_user OR t.sharing = 'private' THEN (
        SELECT track_row_v1(w, p_user, v.access) FROM tracks w WHERE w.id = t.id) END AS own,
      CASE WHEN p_known->>t.id::text IS DISTINCT FROM v.version AND t.user_id IS DISTINCT FROM p_user
          AND t.sharing = 'public' THEN (
        SELECT to_json(b) FROM (
          SELECT t.id, t.user_id, id_created_at(t.id) AS created_at, t.updated_at, t.title, t.permalink, t.artist,
            t.description, t.genre, t.tag_list, t.track_type, t.license, t.label_id, t.label_name, t.release,
            t.release_day, t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature, t.purchase_url,
            t.purchase_title, t.video_url, t.artwork_version, t.sharing, t.embeddable_by, t.streamable, t.downloadable,
            t.commentable, t.available_country_codes, t.state, t.original_format, t.original_content_size,
            t.duration_ms, t.media_prefix, mini_user_of_v1(o) AS user,
            CASE WHEN l.id IS NOT NULL THEN mini_user_of_v1(l) END AS label,
            CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name, 'permalink', a.permalink,
              'external_url', a.external_url) END AS created_with) b) END AS body
    FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
    JOIN tracks t ON t.id = p.id
    JOIN users o ON o.id = t.user_id
    LEFT JOIN users l ON l.id = t.label_id
    LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party
    LEFT JOIN (
      SELECT subject_id, sum(delta) FILTER (WHERE counter = 'comment_count') AS comments,
        sum(delta) FILTER (WHERE counter = 'download_count') AS downloads,
        sum(delta) FILTER (WHERE counter = 'playback_count') AS plays,
        sum(delta) FILTER (WHERE counter = 'favoritings_count') AS favoritings,
        sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts
      FROM counter_deltas WHERE subject_id = ANY (p_ids) AND kind = 'track' GROUP BY subject_id) d ON d.subject_id = t.id,
    LATERAL (SELECT concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin) AS version,
      track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user,
        t.sharing = 'private' AND t.id <> ALL (p_opened) AND NOT (p_in_playlist AND (t.user_id IS NOT DISTINCT FROM p_opener
          OR EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_user))),
        t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
        t.paywall, paying) AS access OFFSET 0) v
    WHERE v.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
    ORDER BY p.place) r;
END $$;

CREATE OR REPLACE FUNCTION track_page_v1(
  p_user bigint, p_country text, p_ids bigint[], p_known jsonb, p_opened bigint[] DEFAULT '{}'
) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT page FROM track_page_v2(p_user, p_country, p_ids, p_known, p_opened, false, NULL)
$$;

-- A playlist without its tracks. `p_told` is what it tells of them, of those that are for the reader.
CREATE FUNCTION playlist_body_v1(p playlists, p_user bigint, p_told jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT p_told || jsonb_build_object(
      'id', p.id, 'user_id', p.user_id, 'created_at', id_created_at(p.id), 'updated_at', p.updated_at, 'title', p.title,
      'permalink', p.permalink, 'description', p.description, 'genre', p.genre, 'tag_list', p.tag_list,
      'playlist_type', p.playlist_type, 'license', p.license, 'label_id', p.label_id, 'label_name', p.label_name,
      'label', CASE WHEN p.label_id IS NOT NULL THEN mini_user_v1(p.label_id) END, 'release', p.release,
      'release_day', p.release_day, 'release_month', p.release_month, 'release_year', p.release_year, 'ean', p.ean,
      'purchase_url', p.purchase_url, 'purchase_title', p.purchase_title, 'artwork_version', p.artwork_version,
      'sharing', p.sharing, 'embeddable_by', p.embeddable_by, 'likes_count', p.likes_count + coalesce(d.likes, 0),
      'reposts_count', p.reposts_count + coalesce(d.reposts, 0),
      'secret_sealed', CASE WHEN p.user_id = p_user THEN encode(p.secret_sealed, 'base64') END,
      'user', mini_user_v1(p.user_id))
  FROM (SELECT sum(d.delta) FILTER (WHERE d.counter = 'likes_count') AS likes,
      sum(d.delta) FILTER (WHERE d.counter = 'reposts_count') AS reposts
    FROM counter_deltas d WHERE d.subject_id = p.id AND d.kind = 'playlist') d
$$;

CREATE OR REPLACE FUNCTION playlist_row_v1(p playlists, p_user bigint, p_secret_hash bytea, p_country text)
RETURNS TABLE ("row" jsonb, track_ids bigint[], opened bigint[]) LANGUAGE sql STABLE AS $$
  SELECT playlist_body_v1(p, p_user, jsonb_build_object('track_count', e.track_count, 'duration_ms', e.duration_ms,
      'streamable', e.streamable, 'downloadable', e.downloadable)),
    e.track_ids, e.opened
  FROM (
    SELECT count(*) AS track_count, coalesce(sum((e.t).duration_ms), 0) AS duration_ms,
      CASE WHEN bool_and(s.streamable) = bool_or(s.streamable) THEN bool_and(s.streamable) END AS streamable,
      CASE WHEN bool_and((e.t).downloadable) = bool_or((e.t).downloadable) THEN bool_and((e.t).downloadable) END AS downloadable,
      coalesce(array_agg((e.t).id ORDER BY e.position), '{}') AS track_ids,
      coalesce(array_agg((e.t).id) FILTER (WHERE (e.t).sharing = 'private'), '{}') AS opened
    FROM playlist_entries_v1(p, p_user, p_secret_hash, p_country) e,
      LATERAL (SELECT CASE WHEN (e.t).user_id = p_user THEN (e.t).streamable ELSE e.access <> 'blocked' END AS streamable) s) e
$$;

-- A playlist's tracks lie all over the library, and a planner that thinks of discs would rather read all of it.
ALTER FUNCTION playlist_page_v1 SET random_page_cost = 1.1;
ALTER FUNCTION list_playlist_tracks_v1 SET random_page_cost = 1.1;

-- One playlist with its tracks: `json` all the way, since `jsonb` would take its text apart and put it together again.
CREATE FUNCTION find_playlist_v2(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_show text, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  source playlists;
  held record;
BEGIN
  IF p_show <> 'tracks' THEN
    RETURN find_playlist_v1(p_session, p_client, p_user, p_id, p_secret_hash, p_country, p_show, p_known);
  END IF;
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO source FROM playlists p WHERE p.id = p_id AND playlist_is_visible_v1(p, p_user, p_secret_hash);
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'playlists', '[]'::json, 'tracks', NULL);
  END IF;
  SELECT * INTO held FROM track_page_v2(p_user, p_country,
    ARRAY(SELECT e.track_id FROM playlist_tracks e WHERE e.playlist_id = p_id ORDER BY e.position), p_known, '{}', true,
    CASE WHEN source.secret_hash = p_secret_hash THEN source.user_id END);
  RETURN json_build_object('auth_ok', true, 'tracks', held.page, 'playlists', json_build_array(
    playlist_body_v1(source, p_user, held.told || jsonb_build_object('track_ids', held.track_ids))));
END $$;

-- As `find_media_v1`, of a URL that carries the hash of the secret that came for it, if any: whatever that opens now, the
-- track's own or a playlist's, the URL does. So it ends with a new secret of either, and when the track leaves the playlist.
CREATE FUNCTION find_media_v2(
  p_track bigint, p_viewer bigint, p_secret_prefix text, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('access', a.access, 'media_prefix', t.media_prefix, 'media', t.media)
  FROM tracks t, LATERAL (SELECT track_access_v1(t, p_viewer, p_secret_hash, p_country) AS access OFFSET 0) a
  WHERE t.id = p_track AND t.state = 'finished' AND a.access IN ('playable', 'preview')
    AND (t.sharing = 'public' OR p_secret_prefix <> '' AND starts_with(encode(t.secret_hash, 'hex'), p_secret_prefix))
$$;
