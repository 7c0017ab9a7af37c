CREATE OR REPLACE FUNCTION delete_connection(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  DELETE FROM connections c
  WHERE c.id = p_id AND c.user_id = p_user AND (p_expected IS NULL OR c.updated_at = ANY (p_expected));
  RETURN json_build_object('outcome', CASE WHEN FOUND THEN 'done'
    WHEN EXISTS (SELECT FROM connections c WHERE c.id = p_id AND c.user_id = p_user) THEN 'changed' ELSE 'unknown' END);
END $$;
