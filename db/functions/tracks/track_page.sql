-- Returns the visible tracks among `p_ids`, in order, as an array per column, and their totals in `told`. Own and private
-- tracks are complete in `own`. Bodies of the others come unless `p_held` (`id:version`, separated by blanks) lists them.
-- `covered` counts the ids before the first in `rest`.
CREATE OR REPLACE FUNCTION track_page(
  p_user bigint, p_country text, p_ids bigint[], p_held text, p_opened bigint[], p_in_playlist boolean,
  p_opener bigint, p_most_bytes integer, OUT page json, OUT told jsonb, OUT covered integer
) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  favored bigint[] := CASE WHEN p_user IS NOT NULL THEN
    -- One look for each: a plan for the whole array reads all favorites of the user and compares them with it.
    ARRAY(SELECT l.id FROM unnest(p_ids) AS l(id),
      LATERAL (SELECT FROM favorites f WHERE f.user_id = p_user AND f.track_id = l.id LIMIT 1) f) END;
  -- Play counts by id; null if no user asks.
  played jsonb := CASE WHEN p_user IS NOT NULL THEN (
    SELECT coalesce(jsonb_object_agg(p.track_id, p.plays), '{}') FROM user_plays p
    WHERE p.user_id = p_user AND p.track_id = ANY (p_ids)) END;
  listed record;
  unlisted bigint[];
  unheld bigint[];
BEGIN
  SELECT array_agg(r.id) FILTER (WHERE r.fits) AS ids, array_agg(r.version) FILTER (WHERE r.fits) AS versions,
    array_agg(r.comments) FILTER (WHERE r.fits) AS comments, array_agg(r.downloads) FILTER (WHERE r.fits) AS downloads,
    array_agg(r.plays) FILTER (WHERE r.fits) AS plays, array_agg(r.favoritings) FILTER (WHERE r.fits) AS favoritings,
    array_agg(r.reposts) FILTER (WHERE r.fits) AS reposts,
    array_agg(r.id) FILTER (WHERE r.fits AND r.access = 'preview') AS previews,
    array_agg(r.id) FILTER (WHERE r.fits AND r.access = 'blocked') AS blocked,
    array_agg(r.id) FILTER (WHERE NOT r.fits) AS rest, min(r.place) FILTER (WHERE NOT r.fits) AS cut_at,
    count(*) AS track_count, coalesce(sum(r.duration_ms), 0) AS duration_ms,
    CASE WHEN bool_and(r.streams) = bool_or(r.streams) THEN bool_and(r.streams) END AS streamable,
    CASE WHEN bool_and(r.downloadable) = bool_or(r.downloadable) THEN bool_and(r.downloadable) END AS downloadable,
    sum(r.duration_ms * power(10, r.lufs / 10)) AS energy, sum(r.duration_ms) FILTER (WHERE r.lufs IS NOT NULL) AS measured_ms,
    max(r.peak) AS peak
  INTO listed
  FROM (
    SELECT t.id, p.place, t.version, t.access, t.streams, t.downloadable, t.duration_ms, t.lufs, t.peak,
      -- Descriptions may be long and an isolate is small. Past `p_most_bytes`, `rest` lists only ids.
      sum(t.bytes) OVER (ORDER BY p.place) - t.bytes < p_most_bytes AS fits,
      t.comment_count + coalesce(d.comments, 0) AS comments,
      t.download_count + coalesce(d.downloads, 0) AS downloads, t.playback_count + coalesce(d.plays, 0) AS plays,
      t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings, t.reposts_count + coalesce(d.reposts, 0) AS reposts
    FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
    JOIN (
      SELECT t.id, v.access, t.downloadable, t.duration_ms, coalesce(octet_length(t.description), 0) AS bytes,
        CASE WHEN p_in_playlist THEN (t.media #>> '{loudness,integrated_lufs}')::double precision END AS lufs,
        CASE WHEN p_in_playlist THEN (t.media #>> '{loudness,true_peak_dbtp}')::double precision END AS peak,
        CASE WHEN t.user_id = p_user THEN t.streamable ELSE v.access <> 'blocked' END AS streams,
        -- The version covers the access and every row that a body is built from, so any change renews it.
        CASE WHEN t.sharing = 'public' AND t.user_id IS DISTINCT FROM p_user THEN
          concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin, nullif(v.access, 'playable')) END AS version,
        t.comment_count, t.download_count, t.playback_count, t.favoritings_count, t.reposts_count
      FROM tracks t
      JOIN users o ON o.id = t.user_id
      LEFT JOIN users l ON l.id = t.label_id
      LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party,
      LATERAL (SELECT track_access_rule(o.disabled_at IS NOT NULL, t.taken_down_at IS NOT NULL, t.user_id = p_user,
        -- `p_opened` lists private tracks that the reader may see. A playlist also shows those of `p_opener`, its owner,
        -- and those shared with the reader.
        t.sharing = 'private' AND t.id <> ALL (p_opened) AND NOT (p_in_playlist AND (t.user_id IS NOT DISTINCT FROM p_opener
          OR EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_user))),
        t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
        t.paywall, paying) AS access OFFSET 0) v
      WHERE t.id = ANY (p_ids) AND v.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
      -- A separate subquery reads the index in order, each page once. A join would descend it for every row.
      OFFSET 0) t ON t.id = p.id
    LEFT JOIN pending_track_counts(p_ids) d ON d.id = t.id
    ORDER BY p.place) r;
  covered := coalesce(listed.cut_at - 1, cardinality(p_ids));
  told := jsonb_build_object('track_count', listed.track_count, 'duration_ms', listed.duration_ms,
    'streamable', listed.streamable, 'downloadable', listed.downloadable,
    'loudness', playlist_loudness(listed.energy, listed.measured_ms, listed.peak));
  unlisted := ARRAY(SELECT l.id FROM unnest(listed.ids, listed.versions) AS l(id, version) WHERE l.version IS NULL);
  unheld := ARRAY(SELECT l.id FROM unnest(listed.ids, listed.versions) AS l(id, version)
    WHERE l.version IS NOT NULL AND l.id || ':' || l.version NOT IN (SELECT string_to_table(p_held, ' ')));
  page := json_build_object('ids', listed.ids, 'versions', listed.versions, 'comments', listed.comments,
    'downloads', listed.downloads, 'plays', listed.plays, 'favoritings', listed.favoritings, 'reposts', listed.reposts,
    'previews', listed.previews, 'blocked', listed.blocked, 'favored', favored, 'played', played,
    'rest', listed.rest,
    'bodies', CASE WHEN unheld <> '{}' THEN track_bodies(unheld) END,
    'own', CASE WHEN unlisted <> '{}' THEN (
      SELECT json_agg(track_row(t, p_user, CASE WHEN t.id = ANY (listed.blocked) THEN 'blocked'
        WHEN t.id = ANY (listed.previews) THEN 'preview' ELSE 'playable' END))
      FROM tracks t WHERE t.id = ANY (unlisted)) END);
END $$;
