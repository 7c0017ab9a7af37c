CREATE OR REPLACE FUNCTION rotate_webhook_secret(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret bytea, p_overlap_s integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  changed webhooks;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  UPDATE webhooks SET previous_secret_sealed = secret_sealed, secret_sealed = p_secret, updated_at = now(),
    previous_secret_expires_at = now() + make_interval(secs => p_overlap_s)
  WHERE id = p_id AND user_id = p_user AND app_id = app_known_as(p_client) RETURNING * INTO changed;
  RETURN json_build_object('webhook', CASE WHEN FOUND THEN webhook_row(changed) END);
END $$;
