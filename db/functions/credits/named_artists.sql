-- Returns the artists of a track as they are stored: users by id, and their usernames where no name was sent. A suspended user, whom
-- no client can send back, stays where name and role do. Counts each user who is asked anew against the owner's budget. `p_track` is
-- null for a new track.
CREATE OR REPLACE FUNCTION named_artists(p_owner bigint, p_client text, p_track bigint, p_artists jsonb, p_budget jsonb)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  named jsonb;
  unknown integer;
  asked integer;
  spent jsonb;
BEGIN
  SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', coalesce(a.artist->>'name', u.username),
      'role', a.artist->>'role', 'user_id', u.id)) ORDER BY a.place),
    min(a.place - 1) FILTER (WHERE u.id IS NULL AND a.artist ?| '{user_id,permalink}')
  INTO named, unknown
  FROM jsonb_array_elements(p_artists) WITH ORDINALITY a(artist, place)
  CROSS JOIN LATERAL (SELECT CASE WHEN a.artist ?| '{user_id,permalink}'
    THEN coalesce((a.artist->>'user_id')::bigint, linked_id('user', NULL, a.artist->>'permalink'))
    ELSE (SELECT (s->>'user_id')::bigint FROM tracks t, jsonb_array_elements(t.artists) s
      WHERE t.id = p_track AND s @> a.artist AND s ? 'user_id' LIMIT 1) END) n (id)
  LEFT JOIN users u ON u.id = n.id AND (u.disabled_at IS NULL) = (a.artist ?| '{user_id,permalink}');
  IF unknown IS NOT NULL THEN
    RETURN jsonb_build_object('outcome', 'unknown_artist', 'place', unknown);
  END IF;
  SELECT count(*) INTO asked FROM (
    SELECT (a->>'user_id')::bigint AS user_id, jsonb_agg(a - 'user_id') AS roles
    FROM jsonb_array_elements(named) a WHERE a ? 'user_id' GROUP BY 1) w
  LEFT JOIN credits c ON c.track_id = p_track AND c.user_id = w.user_id
  WHERE w.user_id <> p_owner AND (c.state IS NULL OR c.state = 'accepted' AND NOT c.roles @> w.roles);
  FOR n IN 1 .. asked LOOP
    spent := take_user_budget(p_budget, p_owner, p_client);
    IF (spent->>'refused')::boolean THEN
      -- Nobody is asked, so those before this one count nothing.
      UPDATE budgets SET taken = greatest(taken - (n - 1), 0) WHERE bucket IN (
        concat_ws(' ', p_budget->>'name', p_owner, p_client), concat_ws(' ', p_budget->>'name', p_owner));
      RETURN jsonb_build_object('outcome', 'over_budget', 'spent', spent);
    END IF;
  END LOOP;
  RETURN jsonb_build_object('outcome', 'done', 'artists', named, 'spent', spent);
END $$;
