-- Returns users for representation, in the order of `p_ids`, without those who left. The viewer counts as online,
-- because this request is their latest use, and their own failed tracks count, because their lists hold them: they are
-- the public ones that are unlisted, and few beside all of a user's.
CREATE OR REPLACE FUNCTION user_rows(p_viewer bigint, p_ids bigint[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
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
          u.public_favorites_count + coalesce(d.favorites, 0) AS public_favorites_count,
          u.reposts_count + coalesce(d.reposts, 0) AS reposts_count,
          u.comments_count + coalesce(d.comments, 0) AS comments_count,
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
          sum(delta) FILTER (WHERE counter = 'comments_count') AS comments
        FROM counter_deltas WHERE subject_id = u.id AND kind = 'user') d) r);
END $$;
