-- Returns tracks posted by users whom `p_user` follows, except those shared with `p_user`: the share reports them.
-- `p_access` filters by access; other parameters are those of `followed_posts`.
CREATE OR REPLACE FUNCTION followed_tracks(
  p_user bigint, p_country text, p_access text[], p_before bigint, p_limit integer, p_since jsonb, p_until jsonb
) RETURNS TABLE (place bigint, user_id bigint, track_id bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- Bounds the unsuitable posts examined, and thereby the cost of a page.
  looked_at_most CONSTANT integer := 20000;
  post record;
  below bigint := p_before;
  asked integer := p_limit;
  missing integer := p_limit;
  looked integer := 0;
  met integer;
BEGIN
  LOOP
    met := 0;
    FOR post IN SELECT * FROM followed_posts(p_user, '{track}', below, NULL, asked, p_since, p_until) LOOP
      met := met + 1;
      below := post.place;
      IF NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = post.subject_id AND s.user_id = p_user) AND EXISTS (
          SELECT FROM tracks t, LATERAL (SELECT track_access(t, p_user, NULL, p_country) AS access OFFSET 0) a
          WHERE t.id = post.subject_id AND t.state <> 'failed' AND a.access <> 'none'
            AND (p_access IS NULL OR a.access = ANY (p_access))) THEN
        RETURN QUERY SELECT post.place, post.user_id, post.subject_id;
        missing := missing - 1;
        EXIT WHEN missing = 0;
      END IF;
    END LOOP;
    looked := looked + met;
    EXIT WHEN missing = 0 OR met < asked OR looked >= looked_at_most;
    asked := least(asked * 4, looked_at_most - looked);
  END LOOP;
END $$;
