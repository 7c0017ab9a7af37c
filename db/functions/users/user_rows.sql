-- Returns users for representation, in the order of `p_ids`, without those who left. The viewer counts as online, because this
-- request is their latest use. What only the viewer sees counts for them, as it stands in their lists: their own failed tracks,
-- others' marks and comments on what they hide, and comments on what was shared with them. All that is little beside the rest.
CREATE OR REPLACE FUNCTION user_rows(p_viewer bigint, p_ids bigint[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  unlisted bigint[];
  own_sets bigint[];
  shared bigint[];
  -- Tracks on which the viewer sees comments of all others, of everybody, and only their own.
  quiet bigint[];
  closed bigint[];
  confiding bigint[];
BEGIN
  IF p_viewer IS NOT NULL THEN
    unlisted := ARRAY(SELECT s.id FROM track_search_unlisted s WHERE s.user_id = p_viewer);
    own_sets := ARRAY(SELECT p.id FROM playlists p WHERE p.user_id = p_viewer AND p.sharing = 'private');
    quiet := ARRAY(SELECT t.id FROM tracks t WHERE t.user_id = p_viewer AND NOT t.reveal_comments AND t.sharing = 'public');
    shared := ARRAY(SELECT t.id FROM track_shares s JOIN tracks t ON t.id = s.track_id JOIN users o ON o.id = t.user_id
      WHERE s.user_id = p_viewer AND t.user_id <> p_viewer AND t.sharing = 'private' AND t.taken_down_at IS NULL
        AND o.disabled_at IS NULL);
    closed := ARRAY(SELECT s.id FROM track_search_unlisted s WHERE s.user_id = p_viewer AND NOT s.public)
      || ARRAY(SELECT t.id FROM tracks t WHERE t.id = ANY (shared) AND t.reveal_comments);
    confiding := ARRAY(SELECT t.id FROM tracks t WHERE t.id = ANY (shared) AND NOT t.reveal_comments);
  END IF;
  RETURN (
    SELECT coalesce(json_agg(r.row ORDER BY r.place), '[]') FROM (
      SELECT p.place, (SELECT to_json(row) FROM (
        SELECT u.id, id_created_at(u.id) AS created_at, u.updated_at, u.permalink, u.username, u.full_name, u.country,
          u.city, u.description, u.discogs_name, u.myspace_name, u.website, u.website_title, u.avatar_version,
          (SELECT count(*) FROM tracks t WHERE t.user_id = u.id AND t.sharing = 'public' AND t.state <> 'failed')
            + CASE WHEN u.id = p_viewer THEN (
              SELECT count(*) FROM track_search_unlisted s WHERE s.user_id = u.id AND s.public)
            ELSE 0 END AS track_count,
          u.playlist_count + coalesce(d.playlists, 0) AS playlist_count,
          u.followers_count + coalesce(d.followers, 0) AS followers_count,
          u.followings_count + coalesce(d.followings, 0) AS followings_count,
          u.public_favorites_count + coalesce(d.favorites, 0)
            + (SELECT count(*) FROM favorites f WHERE f.user_id = u.id AND f.track_id = ANY (unlisted)) AS public_favorites_count,
          u.reposts_count + coalesce(d.reposts, 0)
            + (SELECT count(*) FROM reposts m WHERE m.user_id = u.id AND m.track_id = ANY (unlisted))
            + (SELECT count(*) FROM playlist_reposts m WHERE m.user_id = u.id AND m.playlist_id = ANY (own_sets)) AS reposts_count,
          u.comments_count + coalesce(d.comments, 0)
            + CASE WHEN u.id = p_viewer THEN u.quiet_comments_count + coalesce(d.quiet_comments, 0) ELSE 0 END
            + (SELECT count(*) FROM comments c WHERE c.user_id = u.id
              AND c.track_id = ANY (closed || CASE WHEN u.id = p_viewer THEN confiding ELSE quiet END)) AS comments_count,
          u.id IS NOT DISTINCT FROM p_viewer OR EXISTS (
            SELECT FROM sessions s WHERE s.user_id = u.id AND s.last_used_at > now() - interval '5 minutes') AS online
        ) row) AS row
      FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
      JOIN users u ON u.id = p.id AND u.disabled_at IS NULL,
      LATERAL (
        SELECT sum(delta) FILTER (WHERE counter = 'playlist_count') AS playlists,
          sum(delta) FILTER (WHERE counter = 'followers_count') AS followers,
          sum(delta) FILTER (WHERE counter = 'followings_count') AS followings,
          sum(delta) FILTER (WHERE counter = 'public_favorites_count') AS favorites,
          sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts,
          sum(delta) FILTER (WHERE counter = 'comments_count') AS comments,
          sum(delta) FILTER (WHERE counter = 'quiet_comments_count') AS quiet_comments
        FROM counter_deltas WHERE subject_id = u.id AND kind = 'user') d) r);
END $$;
