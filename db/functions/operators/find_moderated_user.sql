-- Returns a user with what belongs to it, or null. The user is named by id, address, permalink or username.
CREATE OR REPLACE FUNCTION find_moderated_user(
  p_id bigint, p_email text, p_permalink text, p_username_key text, p_username text
) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT moderated_user(u) || jsonb_build_object(
    'tracks', (SELECT count(*) FROM tracks t WHERE t.user_id = u.id),
    'taken_down', (SELECT count(*) FROM tracks t WHERE t.user_id = u.id AND t.taken_down_at IS NOT NULL),
    'playlists', (SELECT count(*) FROM playlists p WHERE p.user_id = u.id),
    'comments', (SELECT count(*) FROM comments c WHERE c.user_id = u.id),
    'sessions', (SELECT count(*) FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > now()),
    'apps', (SELECT count(*) FROM apps a WHERE a.owner_id = u.id),
    'quota', quota_of(u.id),
    'own_quota', (SELECT jsonb_build_object('seconds', q.seconds, 'bytes', q.bytes, 'tracks', q.tracks) FROM user_quotas q
      WHERE q.user_id = u.id),
    'open_reports', (SELECT count(*) FROM reports r WHERE r.target_kind = 'user' AND r.target_id = u.id AND r.state = 'open'))
  FROM users u
  WHERE u.id = coalesce(p_id, (SELECT a.user_id FROM accounts a WHERE lower(a.email) = lower(p_email)),
    named_user(jsonb_build_object('permalink', p_permalink, 'username_key', p_username_key, 'username', p_username)))
$$;
