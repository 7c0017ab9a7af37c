-- Returns all data of the user, without secrets and their hashes. Null if nobody is signed in.
CREATE OR REPLACE FUNCTION export_account(p_session text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (json_build_object('account', json_build_object('email', a.email, 'confirmed_at', a.confirmed_at,
      'pending_email', pending_email(u.id), 'created_at', a.created_at),
    'profile', json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'plan', u.plan,
      'full_name', u.full_name, 'city', u.city, 'country', u.country, 'description', u.description,
      'website', u.website, 'website_title', u.website_title, 'discogs_name', u.discogs_name,
      'myspace_name', u.myspace_name, 'avatar_version', u.avatar_version, 'updated_at', u.updated_at),
    'tracks', (SELECT coalesce(json_agg(to_jsonb(t) - ARRAY['secret_hash', 'secret_sealed', 'original_key', 'media_prefix',
      'media', 'published_id', 'was_public'] || jsonb_build_object('episode', (SELECT to_jsonb(e) - 'track_id' FROM episodes e
        WHERE e.track_id = t.id)) ORDER BY t.id), '[]') FROM tracks t WHERE t.user_id = u.id),
    'playlists', (SELECT coalesce(json_agg(to_jsonb(p) - ARRAY['secret_hash', 'secret_sealed', 'published_id',
      'was_public', 'sanitizer_version', 'favoritings_count'] || jsonb_build_object('likes_count', p.favoritings_count, 'track_ids', ARRAY(SELECT e.track_id FROM playlist_tracks e
        WHERE e.playlist_id = p.id ORDER BY e.position), 'podcast', (SELECT to_jsonb(c) - 'playlist_id' FROM podcasts c
        WHERE c.playlist_id = p.id)) ORDER BY p.id), '[]') FROM playlists p WHERE p.user_id = u.id),
    'favorites', (SELECT coalesce(json_agg(json_build_object('track_id', m.track_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM favorites m WHERE m.user_id = u.id),
    'reposts', (SELECT coalesce(json_agg(json_build_object('track_id', m.track_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM reposts m WHERE m.user_id = u.id),
    'playlist_likes', (SELECT coalesce(json_agg(json_build_object('playlist_id', m.playlist_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM playlist_favorites m WHERE m.user_id = u.id),
    'playlist_reposts', (SELECT coalesce(json_agg(json_build_object('playlist_id', m.playlist_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM playlist_reposts m WHERE m.user_id = u.id),
    'shares', (SELECT coalesce(json_agg(json_build_object('track_id', s.track_id, 'user_id', s.user_id, 'note', s.note,
        'since', id_created_at(s.id)) ORDER BY s.id), '[]')
      FROM track_shares s JOIN tracks t ON t.id = s.track_id WHERE t.user_id = u.id),
    'shared_with_you', (SELECT coalesce(json_agg(json_build_object('track_id', s.track_id, 'note', s.note,
        'since', id_created_at(s.id)) ORDER BY s.id), '[]') FROM track_shares s WHERE s.user_id = u.id),
    'comments', (SELECT coalesce(json_agg(to_jsonb(c) - ARRAY['user_id', 'sanitizer_version'] ORDER BY c.id), '[]')
      FROM comments c WHERE c.user_id = u.id),
    'followings', (SELECT coalesce(json_agg(json_build_object('user_id', f.followee_id, 'since', id_created_at(f.id))
      ORDER BY f.id), '[]') FROM followings f WHERE f.user_id = u.id),
    'web_profiles', (SELECT coalesce(json_agg(to_jsonb(w) - ARRAY['user_id', 'place'] ORDER BY w.place), '[]')
      FROM web_profiles w WHERE w.user_id = u.id),
    'reports', (SELECT coalesce(json_agg(json_build_object('url', r.url, 'reason', r.reason, 'details', r.details,
        'email', r.email, 'state', r.state, 'created_at', id_created_at(r.id)) ORDER BY r.id), '[]')
      FROM reports r WHERE r.reporter_id = u.id),
    'apps', (SELECT coalesce(json_agg(to_jsonb(p) - ARRAY['secret_hash', 'previous_secret_hash'] ORDER BY p.id), '[]')
      FROM apps p WHERE p.owner_id = u.id),
    'connected_apps', connected_apps(u.id),
    'api_sessions', (SELECT coalesce(json_agg(json_build_object('app', p.name, 'scope', s.scope, 'created_at', s.created_at,
        'last_used_at', s.last_used_at, 'expires_at', s.expires_at, 'revoked_at', s.revoked_at) ORDER BY s.id), '[]')
      FROM sessions s JOIN apps p ON p.id = s.app_id WHERE s.user_id = u.id),
    'site_sessions', (SELECT coalesce(json_agg(json_build_object('browser', s.browser, 'created_at', s.created_at,
        'expires_at', s.expires_at, 'revoked_at', s.revoked_at) ORDER BY s.created_at), '[]') FROM site_sessions s WHERE s.user_id = u.id))::jsonb
    || exported_connections(p_session) || exported_plays(p_session) || export_webhooks(p_session))::json
  FROM accounts a JOIN users u ON u.id = a.user_id WHERE a.user_id = (site_user(p_session)->>'id')::bigint
$$;
