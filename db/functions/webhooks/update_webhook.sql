-- Changes the fields in `p_changes`. A new `enabled` or `url` resets the record of failures. After a new secret the previous one
-- signs too for `overlap_s`; any older one does not. The webhook ends with the personal token that changed it.
CREATE OR REPLACE FUNCTION update_webhook(p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  app bigint := (SELECT id FROM apps WHERE client_id = p_client);
  standing bigint;
  changed webhooks;
BEGIN
  PERFORM hold_session(p_session, p_client, p_user);
  PERFORM require_session(p_session, p_client, p_user);
  IF p_changes ? 'url' THEN
    -- Orders requests that add or redirect the user's webhooks.
    PERFORM pg_advisory_xact_lock(hashtext('webhooks'), hashint8(p_user));
    SELECT id INTO standing FROM webhooks
    WHERE user_id = p_user AND app_id = app AND target_hash = (p_changes->>'target_hash')::bytea;
    IF standing <> p_id AND EXISTS (SELECT FROM webhooks WHERE id = p_id AND user_id = p_user AND app_id = app) THEN
      RETURN json_build_object('outcome', 'target_taken', 'standing', standing);
    END IF;
  END IF;
  UPDATE webhooks SET
    token_id = CASE p_client WHEN 'personal' THEN p_session END,
    url = coalesce(p_changes->>'url', url),
    target_hash = coalesce((p_changes->>'target_hash')::bytea, target_hash),
    target_host = coalesce(p_changes->>'target_host', target_host),
    events = CASE WHEN p_changes ? 'events' THEN ARRAY(SELECT jsonb_array_elements_text(p_changes->'events')) ELSE events END,
    enabled = coalesce((p_changes->>'enabled')::boolean, enabled),
    disabled_reason = CASE WHEN p_changes ? 'enabled' THEN NULL ELSE disabled_reason END,
    failing_since = CASE WHEN p_changes ?| ARRAY['enabled', 'url'] THEN NULL ELSE failing_since END,
    slow = slow AND NOT p_changes ? 'url',
    secret_sealed = coalesce((p_changes->>'secret_sealed')::bytea, secret_sealed),
    previous_secret_sealed = CASE WHEN p_changes ? 'secret_sealed' THEN secret_sealed ELSE previous_secret_sealed END,
    previous_secret_expires_at = CASE WHEN p_changes ? 'secret_sealed'
      THEN now() + make_interval(secs => (p_changes->>'overlap_s')::integer) ELSE previous_secret_expires_at END,
    updated_at = now()
  WHERE id = p_id AND user_id = p_user AND app_id = app RETURNING * INTO changed;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  RETURN json_build_object('outcome', 'done', 'webhook', json_build_object(
    'id', changed.id, 'created_at', id_created_at(changed.id), 'updated_at', changed.updated_at, 'app_id', changed.app_id, 'url', changed.url,
    'events', changed.events, 'enabled', changed.enabled, 'disabled_reason', changed.disabled_reason, 'failing_since', changed.failing_since,
    'previous_secret_expires_at',
    CASE WHEN changed.previous_secret_expires_at > now() THEN changed.previous_secret_expires_at END));
END $$;
