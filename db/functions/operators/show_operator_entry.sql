-- Returns how far the session has come, as `operator_state` does, and what the page of the second factor shows.
CREATE OR REPLACE FUNCTION show_operator_entry(p_session bigint, p_client text, p_user bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  state text := operator_state(p_session, p_client, p_user);
BEGIN
  RETURN (SELECT json_build_object('state', state, 'username', u.username, 'recovery_codes', cardinality(o.recovery_hashes))
    FROM operators o JOIN users u ON u.id = o.user_id WHERE o.user_id = p_user);
END $$;
