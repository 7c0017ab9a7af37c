-- Creates a webhook, one per target: at most `p_most` of the app and user, `p_most_in_all` of all apps. The lock makes
-- the limits exact. `standing` is the id of a webhook with this target.
CREATE OR REPLACE FUNCTION create_webhook(
  p_session bigint, p_client text, p_user bigint, p_webhook jsonb, p_secret bytea, p_most integer, p_most_in_all integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  app bigint := (SELECT id FROM apps WHERE client_id = p_client);
  standing bigint;
  own integer;
  in_all integer;
  made webhooks;
BEGIN
  PERFORM hold_session(p_session, p_client, p_user);
  PERFORM require_session(p_session, p_client, p_user);
  -- Orders requests that add or redirect the user's webhooks.
  PERFORM pg_advisory_xact_lock(hashtext('webhooks'), hashint8(p_user));
  SELECT id INTO standing FROM webhooks
  WHERE user_id = p_user AND app_id = app AND target_hash = (p_webhook->>'target_hash')::bytea;
  IF standing IS NOT NULL THEN
    RETURN json_build_object('outcome', 'target_taken', 'standing', standing);
  END IF;
  SELECT count(*) FILTER (WHERE app_id = app), count(*) INTO own, in_all FROM webhooks WHERE user_id = p_user;
  IF own >= p_most THEN
    RETURN json_build_object('outcome', 'too_many');
  ELSIF in_all >= p_most_in_all THEN
    RETURN json_build_object('outcome', 'too_many_in_all');
  END IF;
  INSERT INTO webhooks (user_id, app_id, token_id, url, target_hash, target_host, events, enabled, secret_sealed)
  VALUES (p_user, app, CASE p_client WHEN 'personal' THEN p_session END, p_webhook->>'url', (p_webhook->>'target_hash')::bytea, p_webhook->>'target_host',
    ARRAY(SELECT jsonb_array_elements_text(p_webhook->'events')), (p_webhook->>'enabled')::boolean, p_secret)
  RETURNING * INTO made;
  RETURN json_build_object('outcome', 'done', 'webhook', json_build_object(
    'id', made.id, 'created_at', id_created_at(made.id), 'updated_at', made.updated_at, 'app_id', made.app_id, 'url', made.url,
    'events', made.events, 'enabled', made.enabled, 'disabled_reason', made.disabled_reason, 'failing_since', made.failing_since,
    'previous_secret_expires_at',
    CASE WHEN made.previous_secret_expires_at > now() THEN made.previous_secret_expires_at END));
END $$;
