-- Returns the connections of an account's export.
CREATE OR REPLACE FUNCTION exported_connections(p_user bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('connections', coalesce(jsonb_agg(to_jsonb(c) - ARRAY['user_id', 'tokens_sealed'] ORDER BY c.id), '[]'))
  FROM connections c WHERE c.user_id = p_user
$$;
