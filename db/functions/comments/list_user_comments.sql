-- A plan for any author walks the index of its comments. One for a busy author might read all that is newer elsewhere.
CREATE OR REPLACE FUNCTION list_user_comments(
  p_session bigint, p_client text, p_user bigint, p_author bigint, p_before bigint, p_offset integer, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM users u WHERE u.id = p_author AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('found', false);
  END IF;
  RETURN json_build_object('found', true, 'comments', comment_rows(ARRAY(
    SELECT c.id FROM comments c JOIN tracks t ON t.id = c.track_id
    WHERE c.user_id = p_author AND c.id < p_before AND track_access(t, p_user, NULL, NULL) <> 'none'
      AND (t.reveal_comments OR p_user IN (t.user_id, c.user_id))
    ORDER BY c.id DESC OFFSET p_offset LIMIT p_limit)));
END $$;
