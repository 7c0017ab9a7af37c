CREATE OR REPLACE FUNCTION find_upload(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('upload', (
    SELECT upload_row(u) FROM uploads u WHERE u.id = p_id AND u.user_id = p_user));
END $$;
