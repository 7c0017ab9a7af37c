CREATE OR REPLACE FUNCTION find_track_shares(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM tracks WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  RETURN track_shares_row(p_id);
END $$;
