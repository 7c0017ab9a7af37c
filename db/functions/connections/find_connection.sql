CREATE OR REPLACE FUNCTION find_connection(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('connection', connection_rows(ARRAY(
    SELECT c.id FROM connections c WHERE c.id = p_id AND c.user_id = p_user))->0);
END $$;
