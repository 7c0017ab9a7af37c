CREATE OR REPLACE FUNCTION event_track(t tracks) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', t.id, 'title', t.title, 'permalink', t.permalink, 'owner_permalink', u.permalink,
    'sharing', t.sharing, 'state', t.state, 'duration_ms', t.duration_ms,
    'artists', coalesce((SELECT jsonb_agg(a - 'user_id') FROM jsonb_array_elements(t.artists) a), '[]'))
  FROM users u WHERE u.id = t.user_id
$$;
