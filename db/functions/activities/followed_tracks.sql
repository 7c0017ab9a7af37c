-- Tracks of those whom `p_user` follows, as `followed_posts` has them, but for those that were shared with `p_user`: of
-- these the share tells. With `p_access` only what may be used so.
CREATE OR REPLACE FUNCTION followed_tracks(
  p_user bigint, p_country text, p_access text[], p_before bigint, p_limit integer, p_since jsonb, p_until jsonb
) RETURNS TABLE (place bigint, user_id bigint, track_id bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- Of posts that do not fit, so that the cost of a page stays bounded.
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
