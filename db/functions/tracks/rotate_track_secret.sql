-- Replaces the secret, which invalidates links and media URLs with the previous one.
CREATE OR REPLACE FUNCTION rotate_track_secret(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_secret_sealed bytea
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  UPDATE tracks SET secret_hash = p_secret_hash, secret_sealed = p_secret_sealed, updated_at = now()
  WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  RETURN json_build_object('outcome', 'done');
END $$;
