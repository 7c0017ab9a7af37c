-- Lists apps with the user's consent or a live session, except our own pages.
CREATE OR REPLACE FUNCTION connected_apps(p_user bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.since DESC), '[]') FROM (
    SELECT a.id, a.name, a.external_url, o.username AS owner, least(c.granted_at, min(s.created_at)) AS since,
      max(s.last_used_at) AS last_used_at, count(s.id) AS sessions
    FROM (SELECT app_id FROM consents WHERE user_id = p_user UNION
        SELECT app_id FROM sessions WHERE user_id = p_user AND revoked_at IS NULL AND expires_at > now()) let_in
      JOIN apps a ON a.id = let_in.app_id LEFT JOIN users o ON o.id = a.owner_id
      LEFT JOIN consents c ON c.app_id = a.id AND c.user_id = p_user
      LEFT JOIN sessions s ON s.app_id = a.id AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now()
    WHERE NOT a.first_party GROUP BY a.id, o.username, c.granted_at) r
$$;
