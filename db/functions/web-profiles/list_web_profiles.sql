CREATE OR REPLACE FUNCTION list_web_profiles(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  ELSIF NOT user_exists(p_id) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'profiles', web_profile_rows(p_id));
END $$;
