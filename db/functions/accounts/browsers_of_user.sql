-- Lists the browsers in which the user is signed in, the latest first. `id` begins the session's hash, which opens nothing.
CREATE OR REPLACE FUNCTION browsers_of_user(p_user bigint, p_hash text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', left(b.hash, 16), 'name', b.browser, 'since', b.created_at,
    'is_this', b.hash = p_hash, 'last_used_at', (SELECT max(s.last_used_at) FROM sessions s WHERE s.user_id = p_user AND s.site_session_hash = b.hash))
    ORDER BY b.hash = p_hash DESC, b.created_at DESC), '[]')
  FROM site_sessions b WHERE b.user_id = p_user AND b.revoked_at IS NULL AND b.expires_at > now()
$$;
