-- Begins an attempt for one of several callers; null for the others. Schedules the next attempt in case this one is lost. After
-- ten attempts, about three days, the delivery fails. It waits without counting an attempt if the host's `p_budget` or the
-- user's half of it is spent, or if the user has no room for another attempt; the end of one then sends it.
CREATE OR REPLACE FUNCTION begin_webhook_delivery(p_id bigint, p_attempt uuid, p_budget jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d webhook_deliveries;
  w webhooks;
  in_share text;
  -- Limits a call: failing a million deliveries of a disabled webhook would take longer than a statement may.
  dropped_at_most CONSTANT integer := 10000;
  dropped integer;
  share CONSTANT jsonb := p_budget || jsonb_build_object('max', ((p_budget->>'max')::integer + 1) / 2);
  spent jsonb;
BEGIN
  SELECT o.* INTO w FROM webhook_deliveries p JOIN webhooks o ON o.id = p.webhook_id WHERE p.id = p_id AND p.state = 'pending';
  IF w.id IS NULL THEN
    RETURN NULL;
  ELSIF NOT webhook_is_open(w) THEN
    -- The event came while the webhook was being disabled, which fails only the deliveries visible to it.
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt = NULL WHERE id = p_id AND state = 'pending';
    RETURN NULL;
  -- The app has neither the user's consent to webhooks nor a live session that may have some, which for a personal token's is that
  -- token alone. Signing out of the site leaves the webhooks made there.
  ELSIF NOT EXISTS (SELECT FROM consents WHERE user_id = w.user_id AND app_id = w.app_id
      AND (scope = '' OR string_to_array(scope, ' ') && '{*,webhooks}'))
    AND NOT EXISTS (SELECT FROM sessions
      WHERE user_id = w.user_id AND app_id = w.app_id AND revoked_at IS NULL AND expires_at > now()
        AND (scope = '' OR string_to_array(scope, ' ') && '{*,webhooks}') AND id = coalesce(w.token_id, id))
    AND NOT EXISTS (SELECT FROM apps WHERE id = w.app_id AND client_id = 'site') THEN
    -- Locks the webhook before its deliveries, like the statement that disables it. Other calls leave the work to this one.
    PERFORM FROM webhooks WHERE id = w.id AND enabled FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
      UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt = NULL WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'pending' LIMIT dropped_at_most);
      GET DIAGNOSTICS dropped = ROW_COUNT;
      UPDATE webhooks SET enabled = false, disabled_reason = 'access_ended', updated_at = now()
      WHERE id = w.id AND dropped < dropped_at_most;
    END IF;
    RETURN NULL;
  END IF;
  -- Orders the beginnings and ends of the user's attempts. Comes before the lock of any delivery that waits.
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook turns', w.user_id));
  SELECT * INTO d FROM webhook_deliveries WHERE id = p_id AND state = 'pending' AND next_attempt_at <= now() FOR UPDATE;
  SELECT * INTO w FROM webhooks WHERE id = d.webhook_id;
  IF w.id IS NULL THEN
    RETURN NULL;
  -- Checks again: the webhook may have closed while this call waited for the delivery, and no later call would find that.
  ELSIF NOT webhook_is_open(w) OR d.tries >= 10 THEN
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt = NULL WHERE id = d.id;
    RETURN NULL;
  END IF;
  IF webhook_room(w.user_id, w.slow) = 0 THEN
    UPDATE webhook_deliveries SET attempt = NULL, dispatched_at = clock_timestamp() WHERE id = d.id;
    RETURN NULL;
  END IF;
  in_share := concat_ws(' ', w.target_host, w.user_id);
  spent := take_budget(share, in_share);
  IF (spent->>'refused')::boolean IS NOT TRUE THEN
    spent := take_budget(p_budget, w.target_host);
    -- A refusal by the host counts against no share.
    UPDATE budgets SET taken = taken - 1
    WHERE (spent->>'refused')::boolean AND bucket = p_budget->>'name' || ' ' || in_share;
  END IF;
  IF (spent->>'refused')::boolean THEN
    UPDATE webhook_deliveries SET next_attempt_at = now() + make_interval(secs => (spent->>'reset_s')::integer),
      dispatched_at = NULL
    WHERE id = d.id;
    RETURN NULL;
  END IF;
  UPDATE webhook_deliveries SET tries = tries + 1, attempt = p_attempt, next_attempt_at = now() + interval '1 minute'
  WHERE id = d.id;
  RETURN json_build_object('url', w.url, 'slow', w.slow, 'secrets', json_build_array(encode(w.secret_sealed, 'base64'),
    CASE WHEN w.previous_secret_expires_at > now() THEN encode(w.previous_secret_sealed, 'base64') END), 'delivery', json_build_object(
    'id', d.id, 'webhook_id', d.webhook_id, 'event_id', coalesce(d.event_id, d.id),
    'occurred_at', id_created_at(coalesce(d.event_id, d.id)), 'event', d.event, 'data', d.data,
    'state', d.state, 'attempts', d.attempts, 'next_attempt_at', d.next_attempt_at));
END $$;
