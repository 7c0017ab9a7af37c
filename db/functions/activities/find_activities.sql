-- Returns up to `p_limit` activities of each source, newest first; callers merge them. `p_what` is a kind of activity,
-- `p_access` filters tracks only. Other parameters are those of `followed_posts`.
CREATE OR REPLACE FUNCTION find_activities(
  p_user bigint, p_country text, p_what text, p_access text[], p_before bigint, p_limit integer, p_since jsonb, p_until jsonb
) RETURNS TABLE (place bigint, type text, about text, actor_id bigint, track_id bigint, comment_id bigint, answers boolean)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  below bigint := coalesce(p_before, 9223372036854775807);
  since_settled bigint := (p_since->>'settled')::bigint;
  since_snapshot pg_snapshot := (p_since->>'snapshot')::pg_snapshot;
  until_settled bigint := (p_until->>'settled')::bigint;
  until_snapshot pg_snapshot := (p_until->>'snapshot')::pg_snapshot;
  -- Bounds the events examined. Hidden ones are skipped, and the list ends after this many.
  looked_at_most CONSTANT integer := 20000;
  one text;
BEGIN
  -- One query per source, so that each walks its own index and stops early.
  FOREACH one IN ARRAY CASE p_what WHEN 'all' THEN '{own,conversation,shared}' WHEN 'own' THEN '{own}' ELSE '{shared}' END::text[]
  LOOP
    RETURN QUERY
      SELECT a.id, CASE WHEN a.shared_track_id IS NOT NULL THEN 'track-sharing' WHEN a.comment_id IS NOT NULL THEN 'comment'
          ELSE 'favoriting' END, a.about, a.actor_id,
        coalesce(a.favored_track_id, a.shared_track_id, (SELECT c.track_id FROM comments c WHERE c.id = a.comment_id)),
        a.comment_id, a.answers
      FROM (
        SELECT e.* FROM activities e
        WHERE e.user_id = p_user AND e.about = one AND e.id < below AND e.id > coalesce(since_settled, -1)
          AND (p_since IS NULL OR NOT committed_by(e.id, e.transaction_id, since_settled, since_snapshot))
          AND (p_until IS NULL OR committed_by(e.id, e.transaction_id, until_settled, until_snapshot))
        ORDER BY e.id DESC LIMIT looked_at_most) a
      -- In this order: most are not by users whom one follows, and what the others decide takes several looks.
      WHERE CASE WHEN p_what = 'affiliated' AND NOT EXISTS (
            SELECT FROM followings f WHERE f.user_id = p_user AND f.followee_id = a.actor_id) THEN false
          WHEN p_access IS NOT NULL AND a.about = 'shared' AND (
            SELECT track_access(t, p_user, NULL, p_country) FROM tracks t WHERE t.id = a.shared_track_id) <> ALL (p_access) THEN false
          WHEN p_what = 'exclusive' AND NOT is_exclusive(a.shared_track_id) THEN false
          ELSE sees_activity(a, p_user) END
      ORDER BY a.id DESC LIMIT p_limit;
  END LOOP;
  IF p_what IN ('all', 'tracks', 'affiliated') THEN
    RETURN QUERY SELECT t.place, 'track', 'followed', t.user_id, t.track_id, NULL::bigint, false
      FROM followed_tracks(p_user, p_country, p_access, p_before, p_limit, p_since, p_until) t;
  END IF;
END $$;
