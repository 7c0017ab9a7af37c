-- Returns a page of a track's comments, newest first. Who sees them, and how they are read, is decided as in `list_track_comments`.
CREATE OR REPLACE FUNCTION page_comments(p_track bigint, p_after bigint, p_reader bigint) RETURNS json
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
DECLARE
  page_limit CONSTANT integer := 20;
  reveals boolean;
  ids bigint[];
BEGIN
  SELECT t.reveal_comments OR t.user_id IS NOT DISTINCT FROM p_reader INTO reveals FROM tracks t WHERE t.id = p_track;
  ids := ARRAY(
    SELECT c.id FROM comments c
    WHERE c.track_id = p_track AND (p_after IS NULL OR c.id < p_after) AND (reveals OR c.user_id = p_reader)
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = c.user_id AND u.disabled_at IS NOT NULL)
    ORDER BY c.id DESC LIMIT page_limit + 1);
  RETURN json_build_object('items', comment_rows(ids[1 : page_limit]),
    'next', CASE WHEN cardinality(ids) > page_limit THEN ids[page_limit] END);
END $$;
