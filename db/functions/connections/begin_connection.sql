-- Begins an attempt. Keeps only the session's latest attempts, so that repetition cannot fill the table.
CREATE OR REPLACE FUNCTION begin_connection(p_session bigint, p_client text, p_user bigint, p_attempt jsonb, p_ttl_s integer, p_kept integer)
RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  DELETE FROM connection_attempts WHERE state_hash IN (
    SELECT state_hash FROM connection_attempts WHERE session_id = p_session ORDER BY expires_at DESC OFFSET p_kept - 1);
  INSERT INTO connection_attempts (state_hash, session_id, service, redirect_uri, verifier_sealed, post_favorite, post_publish,
    expires_at)
  SELECT n.state_hash, p_session, n.service, n.redirect_uri, n.verifier_sealed, n.post_favorite, n.post_publish,
    now() + make_interval(secs => p_ttl_s)
  FROM jsonb_populate_record(NULL::connection_attempts, p_attempt) n;
  RETURN '{}';
END $$;
