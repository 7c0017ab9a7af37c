-- Tells whether a viewer of the track sees a comment. Authors who left are hidden. If the owner reveals no comments,
-- others see only their own.
CREATE OR REPLACE FUNCTION sees_comment(c comments, p_viewer bigint, p_secret_hash bytea) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = c.user_id AND u.disabled_at IS NULL)
    AND EXISTS (SELECT FROM tracks t WHERE t.id = c.track_id AND track_access(t, p_viewer, p_secret_hash, NULL) <> 'none'
      AND (t.reveal_comments OR p_viewer IN (t.user_id, c.user_id)))
$$;
