CREATE OR REPLACE FUNCTION mini_track(p_track bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', t.id, 'user_id', t.user_id, 'title', t.title, 'permalink', t.permalink,
    'artwork_version', CASE WHEN t.taken_down_at IS NULL THEN t.artwork_version END, 'updated_at', t.updated_at, 'user', mini_user(t.user_id))
  FROM tracks t WHERE t.id = p_track
$$;
