-- Deletes a following, even of a disabled user, who still counts towards the limit.
CREATE OR REPLACE FUNCTION unfollow(p_session bigint, p_client text, p_user bigint, p_follower bigint, p_followee bigint) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF p_follower <> p_user THEN
    RETURN json_build_object('outcome',
      CASE WHEN user_exists(p_follower) AND user_exists(p_followee) THEN 'not_yours' ELSE 'unknown' END);
  END IF;
  DELETE FROM followings WHERE user_id = p_user AND followee_id = p_followee;
  RETURN json_build_object('outcome',
    CASE WHEN FOUND OR user_exists(p_followee) THEN 'gone' ELSE 'unknown' END);
END $$;
