-- Returns the user `p_shown`, follower or followee, if `p_follower` follows `p_followee`.
CREATE OR REPLACE FUNCTION find_following(
  p_session bigint, p_client text, p_user bigint, p_follower bigint, p_followee bigint, p_shown bigint
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF NOT (user_exists(p_follower) AND user_exists(p_followee) AND EXISTS (
    SELECT FROM followings WHERE user_id = p_follower AND followee_id = p_followee)) THEN
    RETURN '{}';
  END IF;
  RETURN json_build_object('user', user_rows(p_user, ARRAY[p_shown])->0);
END $$;
