-- Returns what a feed says of itself: of a set, or of a user if that is null.
CREATE OR REPLACE FUNCTION feed_channel(u users, p playlists) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('title', coalesce((p).title, u.username), 'permalink', (p).permalink,
    'description', CASE WHEN (p).id IS NULL THEN u.description ELSE (p).description END,
    'private', coalesce((p).sharing, 'public') = 'private',
    'guid', CASE WHEN (p).id IS NULL THEN u.podcast_guid ELSE (p).podcast_guid END,
    'artwork_version', (p).artwork_version, 'user', mini_user_of(u)::jsonb - 'updated_at',
    'podcast', (SELECT to_jsonb(c) - ARRAY['playlist_id', 'updated_at'] FROM podcasts c WHERE c.playlist_id = (p).id))
$$;
