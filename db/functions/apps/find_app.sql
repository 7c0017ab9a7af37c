CREATE OR REPLACE FUNCTION find_app(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('app', (
    SELECT app_row(a) FROM apps a WHERE a.id = p_id AND a.disabled_at IS NULL AND NOT a.first_party));
END $$;
