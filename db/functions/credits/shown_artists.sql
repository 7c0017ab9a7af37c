-- Returns the artists of a track as the reader sees them. Others see the users who accepted, and the owner sees all users whom the
-- track names and their answers.
CREATE OR REPLACE FUNCTION shown_artists(p_track bigint, p_owner bigint, p_artists jsonb, p_reader bigint) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('name', a.artist->>'name', 'role', a.artist->>'role', 'user', mini_user(u.id),
    'state', CASE WHEN p_owner = p_reader AND u.id IS NOT NULL THEN coalesce(c.state, 'accepted') END) ORDER BY a.place)
  FROM jsonb_array_elements(p_artists) WITH ORDINALITY a(artist, place)
  LEFT JOIN credits c ON c.track_id = p_track AND c.user_id = (a.artist->>'user_id')::bigint
  LEFT JOIN users u ON u.id = (a.artist->>'user_id')::bigint AND u.disabled_at IS NULL
    AND (u.id = p_owner OR c.state = 'accepted' OR c.user_id IS NOT NULL AND p_owner = p_reader)
$$;
