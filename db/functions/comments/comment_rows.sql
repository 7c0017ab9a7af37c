-- Returns comments for representation, newest first. The caller must have checked their visibility.
CREATE OR REPLACE FUNCTION comment_rows(p_ids bigint[]) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.id DESC), '[]') FROM (
    SELECT c.id, c.track_id, c.user_id, id_created_at(c.id) AS created_at, c.updated_at, c.body, c.timestamp_ms,
      json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
        'updated_at', u.updated_at, 'followers_count', u.followers_count + coalesce(d.followers, 0),
        'followings_count', u.followings_count + coalesce(d.followings, 0),
        'reposts_count', u.reposts_count + coalesce(d.reposts, 0)) AS user
    FROM comments c
    JOIN users u ON u.id = c.user_id
    LEFT JOIN (
      SELECT subject_id, sum(delta) FILTER (WHERE counter = 'followers_count') AS followers,
        sum(delta) FILTER (WHERE counter = 'followings_count') AS followings,
        sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts
      FROM counter_deltas
      WHERE kind = 'user' AND subject_id IN (SELECT user_id FROM comments WHERE id = ANY (p_ids))
      GROUP BY subject_id) d ON d.subject_id = u.id
    WHERE c.id = ANY (p_ids)) r
$$;
