-- Returns the resource at an address of the site, as the session's user sees it, or a visitor if that has ended. A secret
-- opens more. `p_shows` adds the tracks of a playlist or the newest of a user: `p_chosen` plays one by its id if it is among
-- them; else `p_at` one, from 0; else the first that other sites may play. Owners also get the encode's state.
CREATE OR REPLACE FUNCTION find_page(
  p_kind text, p_id bigint, p_owner text, p_permalink text, p_secret_hash bytea, p_country text, p_shows boolean, p_at integer,
  p_session bigint, p_user bigint, p_chosen bigint DEFAULT NULL
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  newest CONSTANT integer := 50;
  meant bigint := coalesce(p_id, linked_id(p_kind, p_owner, p_permalink));
  found jsonb;
  ids bigint[];
  accesses text[];
  played bigint := CASE WHEN p_kind = 'track' THEN meant END;
  access text;
  reader bigint := CASE WHEN session_is_live(p_session, 'site', p_user) THEN p_user END;
  nothing json := json_build_object('items', '[]'::json, 'played', NULL, 'comments', '[]'::json, 'is_signed_in', reader IS NOT NULL);
BEGIN
  IF p_kind = 'track' THEN
    SELECT track_access(t, reader, p_secret_hash, p_country) INTO access FROM tracks t WHERE t.id = meant;
    IF coalesce(access, 'none') = 'none' THEN
      RETURN nothing;
    END IF;
  ELSIF p_kind = 'playlist' THEN
    SELECT r.row INTO found FROM playlists p, LATERAL playlist_row(p, reader, p_secret_hash, p_country) r
    WHERE p.id = meant AND playlist_is_visible(p, reader, p_secret_hash);
    IF found IS NULL THEN
      RETURN nothing;
    ELSIF p_shows THEN
      SELECT array_agg((e.t).id ORDER BY e.position), array_agg(e.access ORDER BY e.position) INTO ids, accesses
      FROM playlists p, LATERAL playlist_entries(p, reader, p_secret_hash, p_country) e WHERE p.id = meant;
    END IF;
  ELSIF p_kind = 'user' THEN
    found := (user_rows(reader, ARRAY[meant])->0)::jsonb;
    IF found IS NULL THEN
      RETURN nothing;
    ELSIF p_shows THEN
      SELECT array_agg(n.id ORDER BY n.id DESC), array_agg(n.access ORDER BY n.id DESC) INTO ids, accesses FROM (
        SELECT t.id, track_access(t, reader, NULL, p_country) AS access FROM tracks t
        WHERE t.user_id = meant AND (t.user_id = reader OR t.sharing = 'public' AND t.state <> 'failed')
        ORDER BY t.id DESC LIMIT newest) n;
    END IF;
  ELSE
    RETURN nothing;
  END IF;
  IF ids IS NOT NULL THEN
    played := CASE
      WHEN p_chosen IS NOT NULL THEN (SELECT id FROM unnest(ids) id WHERE id = p_chosen)
      WHEN p_at IS NOT NULL THEN ids[least(greatest(p_at, 0), cardinality(ids) - 1) + 1]
      ELSE (SELECT i.id FROM unnest(ids, accesses) WITH ORDINALITY AS i(id, access, place) JOIN tracks t ON t.id = i.id
        ORDER BY t.state = 'finished' AND i.access <> 'blocked' AND t.embeddable_by = 'all' DESC, i.place LIMIT 1) END;
    access := accesses[array_position(ids, played)];
  END IF;
  RETURN json_build_object(
    p_kind, CASE WHEN p_kind = 'track' THEN (SELECT track_row(t, reader, access) FROM tracks t WHERE t.id = meant)
      ELSE found::json END,
    'items', (SELECT coalesce(json_agg(site_item(t, i.access) ORDER BY i.place), '[]')
      FROM unnest(ids, accesses) WITH ORDINALITY AS i(id, access, place) JOIN tracks t ON t.id = i.id),
    'played', CASE WHEN ids IS NOT NULL THEN (SELECT track_row(t, reader, access) FROM tracks t WHERE t.id = played) END,
    'is_signed_in', reader IS NOT NULL,
    'comments', CASE WHEN p_shows THEN site_comments(played) ELSE '[]' END);
END $$;
