-- Tells whether the user may see an activity: its actor still exists, and its track is visible or their own.
CREATE OR REPLACE FUNCTION sees_activity(a activities, p_user bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = a.actor_id AND u.disabled_at IS NULL)
    AND (a.about = 'own' OR EXISTS (SELECT FROM tracks t
      WHERE t.id = coalesce(a.shared_track_id, (SELECT c.track_id FROM comments c WHERE c.id = a.comment_id))
        AND t.state <> 'failed' AND track_access(t, p_user, NULL, NULL) <> 'none'
        AND (a.comment_id IS NULL OR t.reveal_comments)))
$$;
