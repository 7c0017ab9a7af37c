-- Returns a user's public tracks, or a set's, as their podcast feed shows them: the newest, bounded in number and bytes.
-- `tag` names this content; the content itself is left out if the client holds it. Null if nothing is there for visitors.
CREATE OR REPLACE FUNCTION find_feed(
  p_kind text, p_owner text, p_permalink text, p_secret_hash bytea, p_country text, p_held text[]
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  most CONSTANT integer := 300;
  most_bytes CONSTANT integer := 1000000;
  meant bigint := linked_id(p_kind, p_owner, p_permalink);
  channel jsonb;
  ids bigint[];
  items jsonb;
  tag text;
  -- Changes of hidden tracks count if they were public or this reader's secret opens them: they may have been listed before.
  modified_at timestamptz;
BEGIN
  IF p_kind = 'playlist' THEN
    SELECT feed_channel(u, p), greatest(p.updated_at, u.updated_at, c.updated_at) INTO channel, modified_at
    FROM playlists p JOIN users u ON u.id = p.user_id LEFT JOIN podcasts c ON c.playlist_id = p.id
    WHERE p.id = meant AND playlist_is_visible(p, NULL, p_secret_hash);
    SELECT array_agg((e.t).id) INTO ids
    FROM playlists p, LATERAL playlist_entries(p, NULL, p_secret_hash, p_country) e
    WHERE channel IS NOT NULL AND p.id = meant AND (e.t).state = 'finished' AND e.access = 'playable';
    modified_at := greatest(modified_at, (
      SELECT max(t.updated_at) FROM playlists p JOIN playlist_tracks e ON e.playlist_id = p.id JOIN tracks t ON t.id = e.track_id
      WHERE p.id = meant
        AND (t.sharing = 'public' OR t.was_public OR (p.secret_hash = p_secret_hash AND t.user_id = p.user_id))));
  ELSE
    SELECT feed_channel(u, NULL), u.updated_at INTO channel, modified_at
    FROM users u WHERE u.id = meant AND u.disabled_at IS NULL;
    SELECT array_agg(n.id) INTO ids FROM (
      SELECT t.id FROM tracks t
      WHERE channel IS NOT NULL AND t.user_id = meant AND t.sharing = 'public' AND t.state = 'finished'
        AND track_access(t, NULL, NULL, p_country) = 'playable'
      ORDER BY t.published_id DESC LIMIT most) n;
    modified_at := greatest(modified_at, (SELECT max(n.updated_at) FROM (
      SELECT t.updated_at, t.sharing = 'public' OR t.was_public AS was_listed
      FROM tracks t WHERE t.user_id = meant ORDER BY t.published_id DESC LIMIT most) n WHERE n.was_listed));
  END IF;
  IF channel IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT coalesce(jsonb_agg(i.item ORDER BY i.published_id DESC), '[]') INTO items FROM (
    SELECT feed_item(t) AS item, t.published_id,
      sum(octet_length(coalesce(t.description, '')) + 1000) OVER (ORDER BY t.published_id DESC ROWS UNBOUNDED PRECEDING) AS bytes
    FROM unnest(ids) AS listed (id) JOIN tracks t ON t.id = listed.id
    ORDER BY t.published_id DESC LIMIT most) i
  WHERE i.bytes <= most_bytes;
  modified_at := greatest(modified_at, (SELECT max(e.updated_at) FROM episodes e WHERE e.track_id = ANY (ids)));
  -- The given GUID is stored after the first reply, which shows it already.
  tag := md5(jsonb_build_array(channel - 'guid', items)::text);
  RETURN json_build_object('tag', tag, 'modified_at', modified_at,
    'content', CASE WHEN tag = ANY (p_held) IS NOT TRUE THEN json_build_object('channel', channel, 'items', items) END);
END $$;
