CREATE OR REPLACE FUNCTION find_track(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('track', (
    SELECT track_row(t, p_user, a.access)
    FROM tracks t, LATERAL (SELECT track_access(t, p_user, p_secret_hash, p_country) AS access OFFSET 0) a
    WHERE t.id = p_id AND a.access <> 'none'));
END $$;
