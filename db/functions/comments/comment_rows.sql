-- Returns comments for representation, newest first. The caller must have checked their visibility.
CREATE OR REPLACE FUNCTION comment_rows(p_ids bigint[]) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.id DESC), '[]') FROM (
    SELECT c.id, c.track_id, c.user_id, id_created_at(c.id) AS created_at, c.updated_at, c.body, c.timestamp_ms,
      json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
        'updated_at', u.updated_at, 'followers_count', u.followers_count + coalesce(d.followers, 0),
        'followings_count', u.followings_count + coalesce(d.followings, 0),
        'reposts_count', u.reposts_count + coalesce(d.reposts, 0)) AS user
    FROM comments c
    JOIN users u ON u.id = c.user_id,
    -- One look into the index for each comment costs less than a second pass over the comments and a hash join.
    LATERAL (
      SELECT sum(delta) FILTER (WHERE counter = 'followers_count') AS followers,
        sum(delta) FILTER (WHERE counter = 'followings_count') AS followings,
        sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts
      FROM counter_deltas WHERE kind = 'user' AND subject_id = c.user_id) d
    WHERE c.id = ANY (p_ids)) r
$$;
