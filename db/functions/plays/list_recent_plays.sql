-- Returns the caller's played tracks, each once, latest first, or oldest with `ascending`. `p_filter` is that of
-- `find_tracks`. `p_page` holds `limit`, `offset`, and `key` (microseconds) and `id`, the previous page's end; `next`
-- continues.
CREATE OR REPLACE FUNCTION list_recent_plays(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_held text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  page_limit integer := (p_page->>'limit')::integer;
  ascending boolean := coalesce((p_page->>'ascending')::boolean, false);
  fitting bigint[];
  listed bigint[];
  keys bigint[];
  bounded record;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  fitting := fitting_tracks(p_user, p_country, ARRAY(SELECT r.track_id FROM recent_plays r WHERE r.user_id = p_user), p_filter);
  SELECT array_agg(f.track_id ORDER BY f.key, f.track_id), array_agg(f.key ORDER BY f.key, f.track_id) INTO listed, keys
  FROM (
    SELECT p.track_id, p.key
    FROM (SELECT r.track_id,
        (extract(epoch FROM r.played_at) * 1000000)::bigint * CASE WHEN ascending THEN 1 ELSE -1 END AS key
      FROM recent_plays r WHERE r.user_id = p_user AND r.track_id = ANY (fitting)) p
    WHERE (NOT p_page ? 'key' OR (p.key, p.track_id) > ((p_page->>'key')::bigint, (p_page->>'id')::bigint))
    ORDER BY p.key, p.track_id OFFSET (p_page->>'offset')::integer LIMIT page_limit + 1) f;
  SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, coalesce(listed[1 : page_limit], '{}'), p_held);
  RETURN json_build_object('found', true, 'tracks', bounded.page,
    'next', CASE WHEN cardinality(listed) > bounded.covered THEN
      json_build_object('key', keys[bounded.covered], 'id', listed[bounded.covered]) END);
END $$;
