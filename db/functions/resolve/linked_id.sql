-- Finds the id behind a link to a user, track, playlist or app, or null. Ignores the case of letters. Visibility is
-- checked by the caller.
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
