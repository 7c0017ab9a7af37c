CREATE OR REPLACE FUNCTION list_connections(
  p_session bigint, p_client text, p_user bigint, p_before bigint, p_offset integer, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('connections', connection_rows(ARRAY(
    SELECT c.id FROM connections c WHERE c.user_id = p_user AND c.id < p_before ORDER BY c.id DESC OFFSET p_offset LIMIT p_limit)));
END $$;
