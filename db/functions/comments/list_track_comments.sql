-- Lists comments newest first, an array per column: twice as fast as objects. `comments` is null if there are none.
-- A plan for any track walks the index of its comments. One for a busy track might read all that is newer elsewhere.
-- A bitmap would collect all comments of the track and sort them for each page.
CREATE OR REPLACE FUNCTION list_track_comments(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_secret_hash bytea, p_before bigint, p_offset integer,
  p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
DECLARE
  reveals boolean;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT t.reveal_comments OR t.user_id IS NOT DISTINCT FROM p_user INTO reveals FROM tracks t
  WHERE t.id = p_track AND track_access(t, p_user, p_secret_hash, NULL) <> 'none';
  IF NOT FOUND THEN
    RETURN json_build_object('found', false);
  END IF;
  RETURN json_build_object('found', true, 'comments', (
    SELECT CASE WHEN count(*) > 0 THEN json_build_object(
      'id', array_agg(r.id), 'user_id', array_agg(r.user_id), 'created_at', array_agg(id_created_at(r.id)),
      'updated_at', array_agg(r.updated_at), 'body', array_agg(r.body), 'timestamp_ms', array_agg(r.timestamp_ms),
      'authors', json_build_object('permalink', array_agg(r.permalink), 'username', array_agg(r.username),
        'avatar_version', array_agg(r.avatar_version), 'updated_at', array_agg(r.author_updated_at),
        'followers_count', array_agg(r.followers), 'followings_count', array_agg(r.followings),
        'reposts_count', array_agg(r.reposts))) END
    FROM (
      SELECT c.id, c.user_id, c.updated_at, c.body, c.timestamp_ms, u.permalink, u.username, u.avatar_version,
        u.updated_at AS author_updated_at, u.followers_count + coalesce(d.followers, 0) AS followers,
        u.followings_count + coalesce(d.followings, 0) AS followings, u.reposts_count + coalesce(d.reposts, 0) AS reposts
      FROM (
        SELECT c.* FROM comments c
        WHERE c.track_id = p_track AND c.id < p_before AND (reveals OR c.user_id = p_user)
          AND NOT EXISTS (SELECT FROM users u WHERE u.id = c.user_id AND u.disabled_at IS NOT NULL)
        ORDER BY c.id DESC OFFSET p_offset LIMIT p_limit) c
      JOIN users u ON u.id = c.user_id,
      LATERAL (
        SELECT sum(delta) FILTER (WHERE counter = 'followers_count') AS followers,
          sum(delta) FILTER (WHERE counter = 'followings_count') AS followings,
          sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts
        FROM counter_deltas WHERE kind = 'user' AND subject_id = c.user_id) d
      ORDER BY c.id DESC) r));
END $$;
