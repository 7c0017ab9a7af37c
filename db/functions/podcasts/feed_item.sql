-- Returns a finished track as feeds show it. It holds no counters, so that a feed changes only with its content.
CREATE OR REPLACE FUNCTION feed_item(t tracks) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', t.id, 'title', t.title, 'permalink', t.permalink, 'owner', u.permalink,
    'artist', coalesce(t.artist, u.username), 'description', t.description, 'private', t.sharing = 'private',
    'artwork_version', t.artwork_version, 'duration_ms', t.duration_ms, 'published_at', id_created_at(t.published_id),
    'bytes', t.media #> '{renditions,mp3_128,bytes}',
    'episode', (SELECT to_jsonb(e) - ARRAY['track_id', 'updated_at'] FROM episodes e WHERE e.track_id = t.id))
  FROM users u WHERE u.id = t.user_id
$$;
