-- Tells whether a playlist is public, the viewer's own or opened by its secret. Every query that returns playlists uses
-- it.
CREATE OR REPLACE FUNCTION playlist_is_visible(p playlists, p_viewer bigint, p_secret_hash bytea) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (p.sharing = 'public' OR p.user_id = p_viewer OR p.secret_hash = p_secret_hash) IS TRUE
    AND NOT EXISTS (SELECT FROM users o WHERE o.id = p.user_id AND o.disabled_at IS NOT NULL)
$$;
