-- Removes a track from a user's favorites or reposts, even if the user no longer sees it.
CREATE OR REPLACE FUNCTION remove_track_from(
  p_session bigint, p_client text, p_user bigint, p_table text, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  taken integer;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
  EXECUTE format('DELETE FROM %I WHERE user_id = $1 AND track_id = $2', p_table) USING p_user, p_id;
  GET DIAGNOSTICS taken = ROW_COUNT;
  RETURN json_build_object('found', taken > 0
    OR t.id IS NOT NULL AND track_access(t, p_user, p_secret_hash, p_country) <> 'none');
END $$;
