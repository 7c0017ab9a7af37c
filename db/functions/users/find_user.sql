CREATE OR REPLACE FUNCTION find_user(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'user', user_rows(p_user, ARRAY[p_id])->0);
END $$;
