-- Creates a following, once. The advisory lock makes the limit exact: parallel requests of a user see each other's rows.
-- The followee's lock waits for a suspension at the same moment, which would hide the user who is shown then.
CREATE OR REPLACE FUNCTION follow(
  p_session bigint, p_client text, p_user bigint, p_followee bigint, p_limit integer, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM users WHERE id = p_followee AND disabled_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('followings'), hashint8(p_user));
  IF EXISTS (SELECT FROM followings WHERE user_id = p_user AND followee_id = p_followee) THEN
    RETURN json_build_object('outcome', 'stood', 'spent', NULL);
  ELSIF (SELECT count(*) FROM followings WHERE user_id = p_user) >= p_limit THEN
    RETURN json_build_object('outcome', 'too_many');
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  INSERT INTO followings (user_id, followee_id) VALUES (p_user, p_followee);
  RETURN json_build_object('outcome', 'made', 'spent', spent);
END $$;
