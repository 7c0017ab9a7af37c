-- Pages of tracks by columns, of which a reader who holds the last one gets no more than that it is the same.

-- What is counted of each track and not yet added up. `ROWS`, so that it is joined by a hash: of a query of its own a planner
-- takes so little that it looks through all of it for every track, or does it again for each.
CREATE FUNCTION pending_track_counts_v1(p_ids bigint[])
RETURNS TABLE (id bigint, comments bigint, downloads bigint, plays bigint, favoritings bigint, reposts bigint)
LANGUAGE plpgsql STABLE ROWS 1000 AS $$
BEGIN
  RETURN QUERY
  SELECT d.subject_id, sum(d.delta) FILTER (WHERE d.counter = 'comment_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'download_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'playback_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'reposts_count')::bigint
  FROM counter_deltas d WHERE d.subject_id = ANY (p_ids) AND d.kind = 'track' GROUP BY d.subject_id;
END $$;

-- What of public tracks is the same for all who do not own them, an array for each column: to name the columns in an object for
-- each track takes longer than all the rest.
CREATE FUNCTION track_bodies_v1(p_ids bigint[]) RETURNS json LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
BEGIN
  RETURN (
    SELECT json_build_object('id', array_agg(t.id), 'user_id', array_agg(t.user_id),
      'created_at', array_agg(id_created_at(t.id)), 'updated_at', array_agg(t.updated_at), 'title', array_agg(t.title),
      'permalink', array_agg(t.permalink), 'artist', array_agg(t.artist), 'description', array_agg(t.description),
      'genre', array_agg(t.genre), 'tag_list', array_agg(t.tag_list), 'track_type', array_agg(t.track_type),
      'license', array_agg(t.license), 'label_id', array_agg(t.label_id), 'label_name', array_agg(t.label_name),
      'release', array_agg(t.release), 'release_day', array_agg(t.release_day), 'release_month', array_agg(t.release_month),
      'release_year', array_agg(t.release_year), 'isrc', array_agg(t.isrc), 'bpm', array_agg(t.bpm),
      'key_signature', array_agg(t.key_signature), 'purchase_url', array_agg(t.purchase_url),
      'purchase_title', array_agg(t.purchase_title), 'video_url', array_agg(t.video_url),
      'artwork_version', array_agg(t.artwork_version), 'sharing', array_agg(t.sharing),
      'embeddable_by', array_agg(t.embeddable_by), 'streamable', array_agg(t.streamable),
      'downloadable', array_agg(t.downloadable), 'commentable', array_agg(t.commentable),
      -- An array of arrays would want them all of one length.
      'available_country_codes', json_agg(t.available_country_codes), 'state', array_agg(t.state),
      'original_format', array_agg(t.original_format), 'original_content_size', array_agg(t.original_content_size),
      'duration_ms', array_agg(t.duration_ms), 'media_prefix', array_agg(t.media_prefix),
      'owners', json_build_object('permalink', array_agg(o.permalink), 'username', array_agg(o.username),
        'avatar_version', array_agg(o.avatar_version), 'updated_at', array_agg(o.updated_at)),
      'label', array_agg(CASE WHEN l.id IS NOT NULL THEN mini_user_of_v1(l) END),
      'created_with', array_agg(CASE WHEN a.id IS NOT NULL THEN
        json_build_object('id', a.id, 'name', a.name, 'permalink', a.permalink, 'external_url', a.external_url) END))
    FROM tracks t
    JOIN users o ON o.id = t.user_id
    LEFT JOIN users l ON l.id = t.label_id
    LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party
    WHERE t.id = ANY (p_ids));
END $$;

-- Of the tracks `p_ids` those that are for the reader, in that order, an array for each column, and what a playlist tells of
-- them. `p_opened` names the private ones that are for the reader; in a playlist (`p_in_playlist`) they are those that its owner
-- has in it, then `p_opener` is the owner, and those shared with the reader. The reader's own and private ones are whole in
-- `own`. Of others there stands what differs from reader to reader and from moment to moment, and in `bodies` the rest of those
-- that the reader does not hold: `p_held` is `id:version` of each, with blanks between. A version is that of the very rows that
-- a body is made of, so that whatever changes them makes it new. The same `mark` as of the reader's last page says that nothing
-- at all differs from it, and is then all that comes.
CREATE FUNCTION track_page_v3(
  p_user bigint, p_country text, p_ids bigint[], p_mark text, p_held text, p_opened bigint[], p_in_playlist boolean,
  p_opener bigint, OUT page json, OUT track_ids bigint[], OUT told jsonb
) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  favored bigint[] := CASE WHEN p_user IS NOT NULL THEN
    ARRAY(SELECT track_id FROM favorites WHERE user_id = p_user AND track_id = ANY (p_ids)) END;
  listed record;
  mark text;
  unlisted bigint[];
  unheld bigint[];
BEGIN
  SELECT array_agg(r.id) AS ids, array_agg(r.version) AS versions, array_agg(r.comments) AS comments,
    array_agg(r.downloads) AS downloads, array_agg(r.plays) AS plays, array_agg(r.favoritings) AS favoritings,
    array_agg(r.reposts) AS reposts, array_agg(r.id) FILTER (WHERE r.access = 'preview') AS previews,
    array_agg(r.id) FILTER (WHERE r.access = 'blocked') AS blocked, favored,
    count(*) AS track_count, coalesce(sum(r.duration_ms), 0) AS duration_ms,
    CASE WHEN bool_and(r.streams) = bool_or(r.streams) THEN bool_and(r.streams) END AS streamable,
    CASE WHEN bool_and(r.downloadable) = bool_or(r.downloadable) THEN bool_and(r.downloadable) END AS downloadable
  INTO listed
  FROM (
    SELECT t.id, t.version, t.access, t.streams, t.downloadable, t.duration_ms,
      t.comment_count + coalesce(d.comments, 0) AS comments,
      t.download_count + coalesce(d.downloads, 0) AS downloads, t.playback_count + coalesce(d.plays, 0) AS plays,
      t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings, t.reposts_count + coalesce(d.reposts, 0) AS reposts
    FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
    JOIN (
      SELECT t.id, v.access, t.downloadable, t.duration_ms,
        CASE WHEN t.user_id = p_user THEN t.streamable ELSE v.access <> 'blocked' END AS streams,
        CASE WHEN t.sharing = 'public' AND t.user_id IS DISTINCT FROM p_user THEN
          concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin) END AS version,
        t.comment_count, t.download_count, t.playback_count, t.favoritings_count, t.reposts_count
      FROM tracks t
      JOIN users o ON o.id = t.user_id
      LEFT JOIN users l ON l.id = t.label_id
      LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party,
      LATERAL (SELECT track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user,
        t.sharing = 'private' AND t.id <> ALL (p_opened) AND NOT (p_in_playlist AND (t.user_id IS NOT DISTINCT FROM p_opener
          OR EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_user))),
        t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
        t.paywall, paying) AS access OFFSET 0) v
      WHERE t.id = ANY (p_ids) AND v.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
      -- Apart, so that the index is read along, each page of it once, and not gone down for each place.
      OFFSET 0) t ON t.id = p.id
    LEFT JOIN pending_track_counts_v1(p_ids) d ON d.id = t.id
    ORDER BY p.place) r;
  track_ids := coalesce(listed.ids, '{}');
  told := jsonb_build_object('track_count', listed.track_count, 'duration_ms', listed.duration_ms,
    'streamable', listed.streamable, 'downloadable', listed.downloadable);
  -- What is the reader's own or private may have changed in what is not looked at here.
  IF array_position(listed.versions, NULL) IS NULL THEN
    mark := hash_record_extended(listed, 0);
    IF mark = p_mark THEN
      page := json_build_object('mark', mark);
      RETURN;
    END IF;
  ELSE
    unlisted := ARRAY(SELECT l.id FROM unnest(listed.ids, listed.versions) AS l(id, version) WHERE l.version IS NULL);
  END IF;
  unheld := ARRAY(SELECT l.id FROM unnest(listed.ids, listed.versions) AS l(id, version)
    WHERE l.version IS NOT NULL AND l.id || ':' || l.version NOT IN (SELECT string_to_table(p_held, ' ')));
  page := json_build_object('mark', mark, 'ids', listed.ids, 'versions', listed.versions, 'comments', listed.comments,
    'downloads', listed.downloads, 'plays', listed.plays, 'favoritings', listed.favoritings, 'reposts', listed.reposts,
    'previews', listed.previews, 'blocked', listed.blocked, 'favored', favored,
    'bodies', CASE WHEN unheld <> '{}' THEN track_bodies_v1(unheld) END,
    'own', CASE WHEN unlisted IS NOT NULL THEN (
      SELECT json_agg(track_row_v1(t, p_user, CASE WHEN t.id = ANY (listed.blocked) THEN 'blocked'
        WHEN t.id = ANY (listed.previews) THEN 'preview' ELSE 'playable' END))
      FROM tracks t WHERE t.id = ANY (unlisted)) END);
END $$;

-- Workers from before send versions by id as `p_known`, and get what they know; now it is `mark` and `held`, as `track_page_v3`
-- has them. Lists hand it on as it came.
CREATE OR REPLACE FUNCTION track_page_v1(
  p_user bigint, p_country text, p_ids bigint[], p_known jsonb, p_opened bigint[] DEFAULT '{}'
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_known ? 'held' THEN
    RETURN (SELECT page FROM track_page_v3(p_user, p_country, p_ids, p_known->>'mark', p_known->>'held', p_opened, false, NULL));
  END IF;
  RETURN (SELECT page FROM track_page_v2(p_user, p_country, p_ids, p_known, p_opened, false, NULL));
END $$;

-- As `find_playlist_v2`, of pages as `track_page_v3` has them.
CREATE FUNCTION find_playlist_v3(
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
  SELECT * INTO held FROM track_page_v3(p_user, p_country,
    ARRAY(SELECT e.track_id FROM playlist_tracks e WHERE e.playlist_id = p_id ORDER BY e.position),
    p_known->>'mark', p_known->>'held', '{}', true, CASE WHEN source.secret_hash = p_secret_hash THEN source.user_id END);
  RETURN json_build_object('auth_ok', true, 'tracks', held.page,
    'playlists', json_build_array(playlist_body_v1(source, p_user, held.told)));
END $$;
