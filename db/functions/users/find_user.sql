CREATE OR REPLACE FUNCTION find_user(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('user', user_rows(p_user, ARRAY[p_id])->0);
END $$;
