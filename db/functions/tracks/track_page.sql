-- Of the tracks `p_ids` those that are for the reader, in that order, an array for each column, and what a playlist tells of
-- them. `p_opened` names the private ones that are for the reader; in a playlist (`p_in_playlist`) they are those that its owner
-- has in it, then `p_opener` is the owner, and those shared with the reader. The reader's own and private ones are whole in
-- `own`. Of others there stands what differs from reader to reader and from moment to moment, and in `bodies` the rest of those
-- that the reader does not hold: `p_held` is `id:version` of each, with blanks between. A version is that of the very rows that
-- a body is made of, so that whatever changes them makes it new. The same `mark` as of the reader's last page says that nothing
-- at all differs from it, and is then all that comes. Descriptions may be long, and an isolate is small: past `p_most_bytes` of
-- them, null for no limit, tracks stand by their id alone in `rest`. `covered` is how many of `p_ids` come before the first of these.
CREATE OR REPLACE FUNCTION track_page(
  p_user bigint, p_country text, p_ids bigint[], p_mark text, p_held text, p_opened bigint[], p_in_playlist boolean,
  p_opener bigint, p_most_bytes integer, OUT page json, OUT told jsonb, OUT covered integer
) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  favored bigint[] := CASE WHEN p_user IS NOT NULL THEN
    ARRAY(SELECT track_id FROM favorites WHERE user_id = p_user AND track_id = ANY (p_ids)) END;
  -- By id; null where no user asks.
  played jsonb := CASE WHEN p_user IS NOT NULL THEN (
    SELECT coalesce(jsonb_object_agg(p.track_id, p.plays), '{}') FROM user_plays p
    WHERE p.user_id = p_user AND p.track_id = ANY (p_ids)) END;
  listed record;
  mark text;
  unlisted bigint[];
  unheld bigint[];
BEGIN
  SELECT array_agg(r.id) FILTER (WHERE r.fits) AS ids, array_agg(r.version) FILTER (WHERE r.fits) AS versions,
    array_agg(r.comments) FILTER (WHERE r.fits) AS comments, array_agg(r.downloads) FILTER (WHERE r.fits) AS downloads,
    array_agg(r.plays) FILTER (WHERE r.fits) AS plays, array_agg(r.favoritings) FILTER (WHERE r.fits) AS favoritings,
    array_agg(r.reposts) FILTER (WHERE r.fits) AS reposts,
    array_agg(r.id) FILTER (WHERE r.fits AND r.access = 'preview') AS previews,
    array_agg(r.id) FILTER (WHERE r.fits AND r.access = 'blocked') AS blocked, favored, played,
    array_agg(r.id) FILTER (WHERE NOT r.fits) AS rest, min(r.place) FILTER (WHERE NOT r.fits) AS cut_at,
    count(*) AS track_count, coalesce(sum(r.duration_ms), 0) AS duration_ms,
    CASE WHEN bool_and(r.streams) = bool_or(r.streams) THEN bool_and(r.streams) END AS streamable,
    CASE WHEN bool_and(r.downloadable) = bool_or(r.downloadable) THEN bool_and(r.downloadable) END AS downloadable
  INTO listed
  FROM (
    SELECT t.id, p.place, t.version, t.access, t.streams, t.downloadable, t.duration_ms,
      p_most_bytes IS NULL OR sum(t.bytes) OVER (ORDER BY p.place) - t.bytes < p_most_bytes AS fits,
      t.comment_count + coalesce(d.comments, 0) AS comments,
      t.download_count + coalesce(d.downloads, 0) AS downloads, t.playback_count + coalesce(d.plays, 0) AS plays,
      t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings, t.reposts_count + coalesce(d.reposts, 0) AS reposts
    FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
    JOIN (
      SELECT t.id, v.access, t.downloadable, t.duration_ms, coalesce(octet_length(t.description), 0) AS bytes,
        CASE WHEN t.user_id = p_user THEN t.streamable ELSE v.access <> 'blocked' END AS streams,
        CASE WHEN t.sharing = 'public' AND t.user_id IS DISTINCT FROM p_user THEN
          concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin) END AS version,
        t.comment_count, t.download_count, t.playback_count, t.favoritings_count, t.reposts_count
      FROM tracks t
      JOIN users o ON o.id = t.user_id
      LEFT JOIN users l ON l.id = t.label_id
      LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party,
      LATERAL (SELECT track_access_rule(o.disabled_at IS NOT NULL, t.user_id = p_user,
        t.sharing = 'private' AND t.id <> ALL (p_opened) AND NOT (p_in_playlist AND (t.user_id IS NOT DISTINCT FROM p_opener
          OR EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_user))),
        t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
        t.paywall, paying) AS access OFFSET 0) v
      WHERE t.id = ANY (p_ids) AND v.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
      -- Apart, so that the index is read along, each page of it once, and not gone down for each place.
      OFFSET 0) t ON t.id = p.id
    LEFT JOIN pending_track_counts(p_ids) d ON d.id = t.id
    ORDER BY p.place) r;
  covered := coalesce(listed.cut_at - 1, cardinality(p_ids));
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
    'previews', listed.previews, 'blocked', listed.blocked, 'favored', favored, 'played', played,
    'rest', listed.rest,
    'bodies', CASE WHEN unheld <> '{}' THEN track_bodies(unheld) END,
    'own', CASE WHEN unlisted IS NOT NULL THEN (
      SELECT json_agg(track_row(t, p_user, CASE WHEN t.id = ANY (listed.blocked) THEN 'blocked'
        WHEN t.id = ANY (listed.previews) THEN 'preview' ELSE 'playable' END))
      FROM tracks t WHERE t.id = ANY (unlisted)) END);
END $$;
