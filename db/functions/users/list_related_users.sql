-- Ranks users by common followers, newest first among equals. `p_filter` holds `ids`, `words` and `phrases`, `p_page`
-- holds `limit`, `offset` and a position. Followings above `high` came after the first page and would change ranks.
CREATE OR REPLACE FUNCTION list_related_users(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_filter jsonb, p_page jsonb
) RETURNS json LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  -- Reads only the newest followings of each, which bounds the cost.
  followers_at_most CONSTANT integer := 200;
  followed_at_most CONSTANT integer := 100;
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words(p_filter) END;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  page_limit integer := (p_page->>'limit')::integer;
  -- The newest id that `next_id` can have assigned by now.
  high bigint := coalesce((p_page->>'high')::bigint, first_id_at(clock_timestamp()) + 4095);
  listed bigint[];
  ranks bigint[];
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF NOT user_exists(p_id) THEN
    RETURN json_build_object('found', false);
  END IF;
  SELECT array_agg(r.id ORDER BY r.rank DESC, r.id DESC), array_agg(r.rank ORDER BY r.rank DESC, r.id DESC) INTO listed, ranks
  FROM (
    SELECT c.id, c.rank
    FROM (
      SELECT o.followee_id AS id, count(*) AS rank
      FROM (SELECT f.user_id FROM followings f WHERE f.followee_id = p_id AND f.id <= high
          ORDER BY f.id DESC LIMIT followers_at_most) fan,
        LATERAL (SELECT f.followee_id FROM followings f WHERE f.user_id = fan.user_id AND f.id <= high
          ORDER BY f.id DESC LIMIT followed_at_most) o
      WHERE o.followee_id <> p_id AND o.followee_id IS DISTINCT FROM p_user
      GROUP BY o.followee_id) c
    JOIN users u ON u.id = c.id AND u.disabled_at IS NULL
    WHERE (ids IS NULL OR u.id = ANY (ids))
      -- Punctuation alone contains no word and matches nothing.
      AND (NOT p_filter ? 'words' OR u.document @@ words)
      AND (NOT p_page ? 'id' OR (c.rank, c.id) < ((p_page->>'rank')::bigint, (p_page->>'id')::bigint))
    ORDER BY c.rank DESC, c.id DESC OFFSET (p_page->>'offset')::integer LIMIT page_limit + 1) r;
  RETURN json_build_object('found', true,
    'users', user_rows(p_user, coalesce(listed[1 : page_limit], '{}')),
    'next', CASE WHEN cardinality(listed) > page_limit THEN
      json_build_object('id', listed[page_limit], 'rank', ranks[page_limit], 'high', high) END);
END $$;
