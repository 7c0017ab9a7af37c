-- Returns the newest `p_limit` posts of users whom `p_user` follows, between `p_after` and `p_before`, newest first.
-- `p_since` limits them to rows after that moment, `p_until` to rows before it.
CREATE OR REPLACE FUNCTION followed_posts(
  p_user bigint, p_kinds text[], p_before bigint, p_after bigint, p_limit integer,
  p_since jsonb DEFAULT NULL, p_until jsonb DEFAULT NULL
) RETURNS TABLE (place bigint, kind text, user_id bigint, subject_id bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- One followed user's newest post costs as much as two or three rows of a walk through all posts. The walk stops when
  -- the page is full, or once single lookups would have cost no more. Few followed users are looked up directly.
  rows_for_each CONSTANT integer := 2;
  few CONSTANT integer := 300;
  followed integer := (SELECT count(*) FROM followings f WHERE f.user_id = p_user);
  below bigint := coalesce(p_before, 9223372036854775807);
  above bigint := greatest(p_after, (p_since->>'settled')::bigint, -1);
  since_settled bigint := (p_since->>'settled')::bigint;
  since_snapshot pg_snapshot := (p_since->>'snapshot')::pg_snapshot;
  until_settled bigint := (p_until->>'settled')::bigint;
  until_snapshot pg_snapshot := (p_until->>'snapshot')::pg_snapshot;
  page posts[] := '{}';
BEGIN
  IF followed > few THEN
    -- `IS TRUE` prevents a join. The planner then hashes the followed users and stops when the page is full.
    page := ARRAY(
      SELECT w FROM (SELECT p.* FROM posts p WHERE p.id < below AND p.id > above ORDER BY p.id DESC
        LIMIT followed * rows_for_each) w
      WHERE (w.user_id IN (SELECT f.followee_id FROM followings f WHERE f.user_id = p_user)) IS TRUE
        AND w.kind = ANY (p_kinds)
        AND (p_since IS NULL OR NOT committed_by(w.id, w.transaction_id, since_settled, since_snapshot))
        AND (p_until IS NULL OR committed_by(w.id, w.transaction_id, until_settled, until_snapshot))
      ORDER BY w.id DESC LIMIT p_limit);
    IF cardinality(page) = p_limit THEN
      RETURN QUERY SELECT w.id, w.kind, w.user_id, w.subject_id FROM unnest(page) w ORDER BY w.id DESC;
      RETURN;
    END IF;
  END IF;
  -- Users whose newest post is older than those of `p_limit` others have nothing on this page.
  RETURN QUERY
    WITH newest AS MATERIALIZED (
      SELECT f.followee_id, n.id
      FROM followings f, LATERAL (
        SELECT p.id FROM posts p
        WHERE p.user_id = f.followee_id AND p.id < below AND p.id > above AND p.kind = ANY (p_kinds)
          AND (p_since IS NULL OR NOT committed_by(p.id, p.transaction_id, since_settled, since_snapshot))
          AND (p_until IS NULL OR committed_by(p.id, p.transaction_id, until_settled, until_snapshot))
        ORDER BY p.id DESC LIMIT 1) n
      WHERE f.user_id = p_user ORDER BY n.id DESC LIMIT p_limit
    ), reach AS MATERIALIZED (
      SELECT CASE WHEN count(*) = p_limit THEN min(n.id) ELSE above + 1 END AS from_id FROM newest n
    )
    SELECT p.id, p.kind, p.user_id, p.subject_id
    FROM newest n, LATERAL (
      SELECT p.* FROM posts p
      WHERE p.user_id = n.followee_id AND p.id <= n.id AND p.id >= (SELECT r.from_id FROM reach r) AND p.kind = ANY (p_kinds)
        AND (p_since IS NULL OR NOT committed_by(p.id, p.transaction_id, since_settled, since_snapshot))
        AND (p_until IS NULL OR committed_by(p.id, p.transaction_id, until_settled, until_snapshot))
      ORDER BY p.id DESC LIMIT p_limit) p
    ORDER BY p.id DESC LIMIT p_limit;
END $$;
