-- Finds the upload of a companion URL. The URL replaces the token of the session that requested it, and ends with that
-- session or the upload.
CREATE OR REPLACE FUNCTION find_companion_upload(p_id bigint, p_session bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT upload_row(u)
  FROM uploads u JOIN sessions s ON s.id = p_session JOIN apps a ON a.id = s.app_id
  WHERE u.id = p_id AND u.status NOT IN ('used', 'expired') AND u.expires_at > now()
    AND session_is_live(s.id, a.client_id, u.user_id)
$$;
