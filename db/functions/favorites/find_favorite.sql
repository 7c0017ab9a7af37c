-- Returns a favorite of `p_favoriter`, if the caller may see it.
CREATE OR REPLACE FUNCTION find_favorite(
  p_session bigint, p_client text, p_user bigint, p_favoriter bigint, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('track', (
    SELECT track_row(t, p_user, a.access)
    FROM favorites f JOIN users u ON u.id = f.user_id AND u.disabled_at IS NULL JOIN tracks t ON t.id = f.track_id,
      LATERAL (SELECT track_access(t, p_user, p_secret_hash, p_country) AS access OFFSET 0) a
    WHERE f.user_id = p_favoriter AND f.track_id = p_id AND a.access <> 'none'));
END $$;
