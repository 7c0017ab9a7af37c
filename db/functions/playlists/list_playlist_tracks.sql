-- Returns a playlist's fitting tracks, in its order, or by age with `ascending`. `p_page` holds `limit`, `offset` and
-- `key`, the previous page's end; `next` continues. Tracks are few, so each is tested.
CREATE OR REPLACE FUNCTION list_playlist_tracks(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_filter jsonb,
  p_page jsonb, p_held text
) RETURNS json LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  source playlists;
  page_limit integer := (p_page->>'limit')::integer;
  after_key bigint := coalesce((p_page->>'key')::bigint, -9223372036854775808);
  ascending boolean := (p_page->>'ascending')::boolean;
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words(p_filter) END;
  query tsquery := match_both(words, search_labels(p_filter));
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  accesses text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  listed bigint[];
  keys bigint[];
  opened bigint[];
  bounded record;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO source FROM playlists p WHERE p.id = p_id AND playlist_is_visible(p, p_user, p_secret_hash);
  IF NOT FOUND THEN
    RETURN json_build_object('found', false);
  END IF;
  SELECT array_agg(f.id ORDER BY f.key), array_agg(f.key ORDER BY f.key), array_agg(f.id) FILTER (WHERE f.private)
  INTO listed, keys, opened
  FROM (
    SELECT (e.t).id, k.key, (e.t).sharing = 'private' AS private
    FROM playlist_entries(source, p_user, p_secret_hash, p_country) e,
      LATERAL (SELECT CASE WHEN ascending IS NULL THEN e.position WHEN ascending THEN (e.t).id ELSE -(e.t).id END AS key) k
    WHERE k.key > after_key
      AND (ids IS NULL OR (e.t).id = ANY (ids))
      AND (accesses IS NULL OR e.access = ANY (accesses))
      AND (NOT p_filter ? 'sharing' OR (e.t).sharing = p_filter->>'sharing' AND ((e.t).sharing = 'public' OR (e.t).user_id = p_user))
      AND (NOT p_filter ? 'bpm_from' OR (e.t).bpm >= (p_filter->>'bpm_from')::double precision)
      AND (NOT p_filter ? 'bpm_to' OR (e.t).bpm <= (p_filter->>'bpm_to')::double precision)
      AND (NOT p_filter ? 'duration_from' OR (e.t).duration_ms >= (p_filter->>'duration_from')::bigint)
      AND (NOT p_filter ? 'duration_to' OR (e.t).duration_ms <= (p_filter->>'duration_to')::bigint)
      AND (NOT p_filter ? 'id_from' OR (e.t).id >= (p_filter->>'id_from')::bigint)
      AND (NOT p_filter ? 'id_to' OR (e.t).id < (p_filter->>'id_to')::bigint)
      AND CASE WHEN p_filter ? 'words' AND words IS NULL THEN false
        WHEN query IS NULL THEN true
        ELSE EXISTS (SELECT FROM track_search s WHERE s.id = (e.t).id AND s.document @@ query)
          OR EXISTS (SELECT FROM track_search_unlisted s WHERE s.id = (e.t).id AND s.document @@ query) END
    ORDER BY k.key OFFSET (p_page->>'offset')::integer LIMIT page_limit + 1) f;
  SELECT * INTO bounded
  FROM bounded_track_page(p_user, p_country, coalesce(listed[1 : page_limit], '{}'), p_held, coalesce(opened, '{}'));
  RETURN json_build_object('found', true, 'tracks', bounded.page,
    'next', CASE WHEN cardinality(listed) > bounded.covered THEN json_build_object('key', keys[bounded.covered]) END);
END $$;
