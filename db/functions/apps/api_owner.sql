CREATE OR REPLACE FUNCTION api_owner(p_session bigint, p_client text, p_user bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT p_user WHERE session_is_live(p_session, p_client, p_user)
$$;
