-- Who is meant by a link, or which of their tracks or playlists, or which app: its id, null where there is none. Whether it is
-- for the caller is not asked here. Links are told apart whatever the case of their letters.
CREATE OR REPLACE FUNCTION linked_id(p_kind text, p_owner text, p_permalink text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE p_kind
    WHEN 'app' THEN (SELECT a.id FROM apps a WHERE a.permalink = lower(p_permalink))
    WHEN 'user' THEN (SELECT u.id FROM users u WHERE lower(u.permalink) = lower(p_permalink))
    WHEN 'track' THEN (SELECT t.id FROM users u JOIN tracks t ON t.user_id = u.id AND t.permalink = lower(p_permalink)
      WHERE lower(u.permalink) = lower(p_owner))
    WHEN 'playlist' THEN (SELECT p.id FROM users u JOIN playlists p ON p.user_id = u.id AND p.permalink = lower(p_permalink)
      WHERE lower(u.permalink) = lower(p_owner))
  END
$$;
