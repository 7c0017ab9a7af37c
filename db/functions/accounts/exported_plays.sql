-- Returns the plays of an account's export. Null if nobody is signed in.
CREATE OR REPLACE FUNCTION exported_plays(p_session text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('recently_played', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('track_id', r.track_id, 'played_at', r.played_at) ORDER BY r.played_at DESC), '[]')
    FROM recent_plays r WHERE r.user_id = u.id),
    'plays', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('track_id', p.track_id, 'plays', p.plays) ORDER BY p.track_id), '[]')
    FROM user_plays p WHERE p.user_id = u.id))
  FROM (SELECT (site_user(p_session)->>'id')::bigint AS id OFFSET 0) u WHERE u.id IS NOT NULL
$$;
