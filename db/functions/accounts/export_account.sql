-- Returns a piece of all data of the user, without secrets and their hashes: first what is short (`about`), then rows of the lists
-- that may be long, some megabytes a statement. `next` is where the next piece begins, null after the last. Null if nobody is
-- signed in.
CREATE OR REPLACE FUNCTION export_account(p_session text, p_from jsonb) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  names CONSTANT text[] := ARRAY['tracks', 'playlists', 'favorites', 'reposts', 'playlist_likes', 'playlist_reposts', 'shares',
    'shared_with_you', 'comments', 'followings', 'plays'];
  start CONSTANT bigint[] := ARRAY[0, 0];
  owner bigint := (site_user(p_session)->>'id')::bigint;
  about jsonb;
  name text;
  after bigint[];
  most integer;
  bytes_left bigint := 2 * 1024 * 1024;
  taken record;
  lists jsonb := '[]';
BEGIN
  IF owner IS NULL THEN
    RETURN NULL;
  END IF;
  IF p_from IS NULL THEN
    about := exported_profile(owner) || exported_connections(owner) || exported_webhooks(owner);
  END IF;
  FOREACH name IN ARRAY names[coalesce(array_position(names, p_from->>'list'), 1):] LOOP
    after := CASE WHEN name = p_from->>'list' THEN ARRAY(SELECT jsonb_array_elements_text(p_from->'after')::bigint) ELSE start END;
    IF bytes_left <= 0 THEN
      RETURN json_build_object('about', about, 'lists', lists, 'next', json_build_object('list', name, 'after', start));
    END IF;
    -- Tracks have long descriptions, and playlists many tracks.
    most := CASE WHEN name IN ('tracks', 'playlists') THEN 100 WHEN name IN ('comments', 'shares') THEN 1000 ELSE 10000 END;
    SELECT coalesce(jsonb_agg(r.item ORDER BY r.place) FILTER (WHERE r.bytes_before < bytes_left), '[]') AS items,
      max(r.place) FILTER (WHERE r.bytes_before < bytes_left) AS last, count(*) AS found, sum(r.bytes) AS bytes INTO taken
    FROM (
      SELECT e.place, e.item, s.bytes, sum(s.bytes) OVER (ORDER BY e.place) - s.bytes AS bytes_before
      FROM exported_rows(owner, name, after, most) e, LATERAL (SELECT octet_length(e.item::text) AS bytes OFFSET 0) s) r;
    lists := lists || jsonb_build_object('name', name, 'rows', taken.items);
    IF taken.found = most OR jsonb_array_length(taken.items) < taken.found THEN
      RETURN json_build_object('about', about, 'lists', lists, 'next', json_build_object('list', name, 'after', taken.last));
    END IF;
    bytes_left := bytes_left - coalesce(taken.bytes, 0);
  END LOOP;
  RETURN json_build_object('about', about, 'lists', lists, 'next', NULL);
END $$;
