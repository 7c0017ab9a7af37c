-- Returns the short parts of an account's export.
CREATE OR REPLACE FUNCTION exported_profile(p_user bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('account', jsonb_build_object('email', a.email, 'confirmed_at', a.confirmed_at,
      'pending_email', pending_email(u.id), 'created_at', a.created_at),
    'profile', jsonb_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'plan', u.plan,
      'full_name', u.full_name, 'city', u.city, 'country', u.country, 'description', u.description,
      'website', u.website, 'website_title', u.website_title, 'discogs_name', u.discogs_name,
      'myspace_name', u.myspace_name, 'avatar_version', u.avatar_version, 'updated_at', u.updated_at),
    'web_profiles', (SELECT coalesce(jsonb_agg(to_jsonb(w) - ARRAY['user_id', 'place'] ORDER BY w.place), '[]')
      FROM web_profiles w WHERE w.user_id = u.id),
    'reports', (SELECT coalesce(jsonb_agg(jsonb_build_object('url', r.url, 'reason', r.reason, 'details', r.details,
        'email', r.email, 'state', r.state, 'created_at', id_created_at(r.id)) ORDER BY r.id), '[]')
      FROM reports r WHERE r.reporter_id = u.id),
    'recently_played', (SELECT coalesce(jsonb_agg(jsonb_build_object('track_id', r.track_id, 'played_at', r.played_at)
        ORDER BY r.played_at DESC), '[]')
      FROM recent_plays r WHERE r.user_id = u.id),
    'apps', (SELECT coalesce(jsonb_agg(to_jsonb(p) - ARRAY['secret_hash', 'previous_secret_hash'] ORDER BY p.id), '[]')
      FROM apps p WHERE p.owner_id = u.id),
    'connected_apps', connected_apps(u.id),
    'api_sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('app', p.name, 'scope', s.scope, 'created_at', s.created_at,
        'last_used_at', s.last_used_at, 'expires_at', s.expires_at, 'revoked_at', s.revoked_at) ORDER BY s.id), '[]')
      FROM sessions s JOIN apps p ON p.id = s.app_id WHERE s.user_id = u.id),
    'site_sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('browser', s.browser, 'created_at', s.created_at,
        'expires_at', s.expires_at, 'revoked_at', s.revoked_at) ORDER BY s.created_at), '[]')
      FROM site_sessions s WHERE s.user_id = u.id))
  FROM accounts a JOIN users u ON u.id = a.user_id WHERE a.user_id = p_user
$$;
