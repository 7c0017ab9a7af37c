-- Function bodies name each other.
SET LOCAL check_function_bodies = off;
--> statement-breakpoint
-- What a page of the site tells of a track that stands in a list.
CREATE FUNCTION site_item_v1(t tracks, p_access text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT t.id, t.title, t.permalink, t.artist, t.duration_ms, t.state, t.sharing, p_access AS access, t.artwork_version,
      mini_user_v1(t.user_id) AS user) r
$$;

-- The newest hundred timed comments of a track, in the order of its time.
CREATE FUNCTION site_comments_v1(p_track bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('timestamp', c.timestamp_ms, 'username', c.username, 'body', c.body)
    ORDER BY c.timestamp_ms, c.id), '[]')
  FROM (
    SELECT c.id, c.timestamp_ms, c.body, u.username
    FROM comments c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
    WHERE c.track_id = p_track AND c.timestamp_ms IS NOT NULL
    ORDER BY c.id DESC LIMIT 100) c
$$;

-- What stands at an address of the site, for whoever opens it: a visitor without a session, who may have brought a secret. Of a
-- playlist all its tracks, of a user the newest; of these, `p_at` is the one to play, counted from 0. Without `p_shows` only what
-- is at the address, nothing of what it holds.
CREATE FUNCTION find_page_v1(
  p_kind text, p_id bigint, p_owner text, p_permalink text, p_secret_hash bytea, p_country text, p_shows boolean, p_at integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  newest CONSTANT integer := 50;
  meant bigint := coalesce(p_id, linked_id_v1(p_kind, p_owner, p_permalink));
  found jsonb;
  ids bigint[];
  accesses text[];
  played bigint := CASE WHEN p_kind = 'track' THEN meant END;
  access text;
BEGIN
  IF p_kind = 'track' THEN
    SELECT track_access_v1(t, NULL, p_secret_hash, p_country) INTO access FROM tracks t WHERE t.id = meant;
    IF coalesce(access, 'none') = 'none' THEN
      RETURN '{}';
    END IF;
  ELSIF p_kind = 'playlist' THEN
    SELECT r.row INTO found FROM playlists p, LATERAL playlist_row_v1(p, NULL, p_secret_hash, p_country) r
    WHERE p.id = meant AND playlist_is_visible_v1(p, NULL, p_secret_hash);
    IF found IS NULL THEN
      RETURN '{}';
    ELSIF p_shows THEN
      SELECT array_agg((e.t).id ORDER BY e.position), array_agg(e.access ORDER BY e.position) INTO ids, accesses
      FROM playlists p, LATERAL playlist_entries_v1(p, NULL, p_secret_hash, p_country) e WHERE p.id = meant;
    END IF;
  ELSIF p_kind = 'user' THEN
    found := (user_rows_v1(NULL, ARRAY[meant])->0)::jsonb;
    IF found IS NULL THEN
      RETURN '{}';
    ELSIF p_shows THEN
      SELECT array_agg(n.id ORDER BY n.id DESC), array_agg(n.access ORDER BY n.id DESC) INTO ids, accesses FROM (
        SELECT t.id, track_access_v1(t, NULL, NULL, p_country) AS access FROM tracks t
        WHERE t.user_id = meant AND t.sharing = 'public' AND t.state <> 'failed' ORDER BY t.id DESC LIMIT newest) n;
    END IF;
  ELSE
    RETURN '{}';
  END IF;
  IF ids IS NOT NULL THEN
    played := ids[least(greatest(p_at, 0), cardinality(ids) - 1) + 1];
    access := accesses[array_position(ids, played)];
  END IF;
  RETURN json_build_object(
    p_kind, CASE WHEN p_kind = 'track' THEN (SELECT track_row_v1(t, NULL, access) FROM tracks t WHERE t.id = meant)
      ELSE found::json END,
    'items', (SELECT coalesce(json_agg(site_item_v1(t, i.access) ORDER BY i.place), '[]')
      FROM unnest(ids, accesses) WITH ORDINALITY AS i(id, access, place) JOIN tracks t ON t.id = i.id),
    'played', CASE WHEN ids IS NOT NULL THEN (SELECT track_row_v1(t, NULL, access) FROM tracks t WHERE t.id = played) END,
    'comments', CASE WHEN p_shows THEN site_comments_v1(played) ELSE '[]' END);
END $$;
