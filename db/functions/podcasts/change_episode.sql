-- Changes fields that only feeds show of the caller's own track; what `p_changes` omits stays.
CREATE OR REPLACE FUNCTION change_episode(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  -- The key's lock lets favorites and comments pass.
  PERFORM FROM tracks WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  PERFORM write_episode(p_id, p_changes);
  RETURN episode_reply(p_id);
END $$;
