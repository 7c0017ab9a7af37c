-- A page of the caller's upload sessions, newest first, one row more than fit on it where `p_limit` says so.
CREATE OR REPLACE FUNCTION list_uploads(
  p_session bigint, p_client text, p_user bigint, p_status text, p_before bigint, p_offset integer, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('uploads', coalesce((
    SELECT json_agg(r.row ORDER BY r.id DESC) FROM (
      SELECT u.id, upload_row(u) AS row FROM uploads u WHERE u.user_id = p_user AND u.id < p_before
        AND (p_status IS NULL OR upload_row(u)->>'status' = p_status)
      ORDER BY u.id DESC OFFSET p_offset LIMIT p_limit) r), '[]'));
END $$;
