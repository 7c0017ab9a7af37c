-- Returns the user of a live session; otherwise raises SE000.
CREATE OR REPLACE FUNCTION session_user_id(p_session bigint, p_client text, p_user bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT p_user WHERE require_session(p_session, p_client, p_user)
$$;
