-- Returns the fields that only feeds show of the caller's own track.
CREATE OR REPLACE FUNCTION own_episode(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM tracks WHERE id = p_id AND user_id = p_user;
  RETURN CASE WHEN FOUND THEN episode_reply(p_id) ELSE not_own_track(p_user, p_id)::jsonb END;
END $$;
