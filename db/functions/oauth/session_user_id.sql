-- The user of a live session; raises SE000 for any other.
CREATE OR REPLACE FUNCTION session_user_id(p_session bigint, p_client text, p_user bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT p_user WHERE require_session(p_session, p_client, p_user)
$$;
