CREATE OR REPLACE FUNCTION list_web_profiles(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF NOT user_exists(p_id) THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  RETURN json_build_object('outcome', 'done', 'profiles', web_profile_rows(p_id));
END $$;
