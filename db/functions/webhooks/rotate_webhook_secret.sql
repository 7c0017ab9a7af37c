-- Replaces a webhook's secret. The previous one signs too for `p_overlap_s`; any older one does not.
CREATE OR REPLACE FUNCTION rotate_webhook_secret(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret bytea, p_overlap_s integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  w webhooks;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  UPDATE webhooks SET previous_secret_sealed = secret_sealed,
    previous_secret_expires_at = now() + make_interval(secs => p_overlap_s), secret_sealed = p_secret, updated_at = now()
  WHERE id = p_id AND user_id = p_user AND app_id = (SELECT id FROM apps WHERE client_id = p_client) RETURNING * INTO w;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  RETURN json_build_object('outcome', 'done', 'webhook', webhook_row(w));
END $$;
