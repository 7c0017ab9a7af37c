CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"webhook_id" bigint NOT NULL,
	"event" text NOT NULL,
	"subject" text,
	"data" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"attempt" uuid,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"dispatched_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_told_once" UNIQUE("webhook_id","event","subject"),
	CONSTRAINT "webhook_deliveries_state" CHECK ("webhook_deliveries"."state" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_next_attempt_at" CHECK (("webhook_deliveries"."state" = 'pending') = ("webhook_deliveries"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp with time zone,
	"secret_sealed" "bytea" NOT NULL,
	"previous_secret_sealed" "bytea",
	"previous_secret_expires_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_disabled_reason" CHECK ("webhooks"."disabled_reason" in ('failing', 'gone', 'access_ended'))
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_idx" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" USING btree ("webhook_id","next_attempt_at") WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "webhooks_user_id_idx" ON "webhooks" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "webhooks_app_id_idx" ON "webhooks" USING btree ("app_id");
--> statement-breakpoint
-- Events are written by triggers, in the transaction of what happens: whoever is told of it can rely on it, and where nobody
-- listens it costs one look into an index. The data are facts; addresses and URNs are made of them when they are sent.

CREATE FUNCTION event_user_v1(p_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
    'updated_at', u.updated_at)
  FROM users u WHERE u.id = p_id
$$;

CREATE FUNCTION event_track_v1(t tracks) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', t.id, 'title', t.title, 'permalink', t.permalink, 'owner_permalink', u.permalink,
    'sharing', t.sharing, 'state', t.state, 'duration_ms', t.duration_ms)
  FROM users u WHERE u.id = t.user_id
$$;

-- Who listens is held by the key: one who is just going would leave what is written for them without an owner.
CREATE FUNCTION tell_webhooks_of_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, data)
  SELECT w.id, 'track.' || new.state, jsonb_build_object('track', event_track_v1(new), 'reason',
    CASE new.state WHEN 'failed' THEN (SELECT j.failure_reason FROM encoding_jobs j WHERE j.track_id = new.id) END)
  FROM webhooks w WHERE w.user_id = new.user_id AND w.enabled AND 'track.' || new.state = ANY (w.events)
  FOR KEY SHARE OF w;
  RETURN NULL;
END $$;

CREATE TRIGGER webhooks_are_told AFTER UPDATE OF state ON tracks FOR EACH ROW
WHEN (old.state = 'processing' AND new.state IN ('finished', 'failed')) EXECUTE FUNCTION tell_webhooks_of_track();

-- Of what people do to their own they know.
CREATE FUNCTION tell_webhooks_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, data)
  SELECT w.id, 'comment.created', jsonb_build_object('track', event_track_v1(t), 'user', event_user_v1(new.user_id),
    'comment', jsonb_build_object('id', new.id, 'body', new.body, 'timestamp_ms', new.timestamp_ms))
  FROM tracks t JOIN webhooks w ON w.user_id = t.user_id
  WHERE t.id = new.track_id AND t.user_id <> new.user_id AND w.enabled AND 'comment.created' = ANY (w.events)
  FOR KEY SHARE OF w;
  RETURN NULL;
END $$;

CREATE TRIGGER webhooks_are_told AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_comment();

CREATE FUNCTION tell_webhooks_of_track_like() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, subject, data)
  SELECT w.id, 'like.created', format('track %s by %s', t.id, new.user_id),
    jsonb_build_object('track', event_track_v1(t), 'user', event_user_v1(new.user_id))
  FROM tracks t JOIN webhooks w ON w.user_id = t.user_id
  WHERE t.id = new.track_id AND t.user_id <> new.user_id AND w.enabled AND 'like.created' = ANY (w.events)
  FOR KEY SHARE OF w
  ON CONFLICT (webhook_id, event, subject) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER webhooks_are_told AFTER INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_track_like();

CREATE FUNCTION tell_webhooks_of_playlist_like() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, subject, data)
  SELECT w.id, 'like.created', format('playlist %s by %s', p.id, new.user_id),
    jsonb_build_object('user', event_user_v1(new.user_id), 'playlist', jsonb_build_object('id', p.id, 'title', p.title,
      'permalink', p.permalink, 'owner_permalink', o.permalink, 'sharing', p.sharing))
  FROM playlists p JOIN users o ON o.id = p.user_id JOIN webhooks w ON w.user_id = p.user_id
  WHERE p.id = new.playlist_id AND p.user_id <> new.user_id AND w.enabled AND 'like.created' = ANY (w.events)
  FOR KEY SHARE OF w
  ON CONFLICT (webhook_id, event, subject) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER webhooks_are_told AFTER INSERT ON playlist_likes FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_playlist_like();

CREATE FUNCTION tell_webhooks_of_follower() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, subject, data)
  SELECT w.id, 'follow.created', 'by ' || new.user_id, jsonb_build_object('user', event_user_v1(new.user_id))
  FROM webhooks w WHERE w.user_id = new.followee_id AND w.enabled AND 'follow.created' = ANY (w.events)
  FOR KEY SHARE OF w
  ON CONFLICT (webhook_id, event, subject) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER webhooks_are_told AFTER INSERT ON followings FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_follower();

-- Whoever switched it off, nothing is sent any more but by a replay.
CREATE FUNCTION drop_pending_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt = NULL
  WHERE webhook_id = new.id AND state = 'pending';
  RETURN NULL;
END $$;

CREATE TRIGGER pending_deliveries_are_dropped AFTER UPDATE OF enabled ON webhooks FOR EACH ROW
WHEN (old.enabled AND NOT new.enabled) EXECUTE FUNCTION drop_pending_deliveries();

-- With what an app may do in a user's name ends what it is told of them, until the user switches it on again.
CREATE OR REPLACE FUNCTION end_grants_v1(p_user bigint, p_app bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE authorization_codes SET expires_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND redeemed_at IS NULL AND expires_at > now();
  UPDATE sessions SET revoked_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND revoked_at IS NULL;
  UPDATE webhooks SET enabled = false, disabled_reason = 'access_ended', updated_at = now()
  WHERE user_id = p_user AND coalesce(app_id = p_app, true) AND enabled;
$$;

CREATE FUNCTION webhook_row_v1(w webhooks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', w.id, 'created_at', id_created_at(w.id), 'updated_at', w.updated_at, 'app_id', w.app_id,
    'url', w.url, 'events', w.events, 'enabled', w.enabled, 'disabled_reason', w.disabled_reason,
    'failing_since', w.failing_since, 'previous_secret_expires_at',
    CASE WHEN w.previous_secret_expires_at > now() THEN w.previous_secret_expires_at END)
$$;

CREATE FUNCTION list_webhooks_v1(p_session bigint, p_client text, p_user bigint, p_before bigint, p_limit integer) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'webhooks', (
    SELECT coalesce(json_agg(webhook_row_v1(w) ORDER BY w.id DESC), '[]') FROM (
      SELECT * FROM webhooks WHERE user_id = p_user AND id < p_before ORDER BY id DESC LIMIT p_limit) w));
END $$;

CREATE FUNCTION find_webhook_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'webhook', (
    SELECT webhook_row_v1(w) FROM webhooks w WHERE w.id = p_id AND w.user_id = p_user));
END $$;

-- `webhook` is null where the user has `p_most` already. The lock makes the limit exact.
CREATE FUNCTION create_webhook_v1(
  p_session bigint, p_client text, p_user bigint, p_webhook jsonb, p_secret bytea, p_most integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  made webhooks;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('webhooks'), hashint8(p_user));
  IF (SELECT count(*) FROM webhooks WHERE user_id = p_user) < p_most THEN
    INSERT INTO webhooks (user_id, app_id, url, events, enabled, secret_sealed)
    SELECT p_user, a.id, p_webhook->>'url', ARRAY(SELECT jsonb_array_elements_text(p_webhook->'events')),
      (p_webhook->>'enabled')::boolean, p_secret
    FROM apps a WHERE a.client_id = p_client
    RETURNING * INTO made;
  END IF;
  RETURN json_build_object('auth_ok', true, 'webhook', CASE WHEN made.id IS NOT NULL THEN webhook_row_v1(made) END);
END $$;

-- What `p_changes` leaves out stays. Switched on, or sent elsewhere, it starts afresh.
CREATE FUNCTION update_webhook_v1(p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  changed webhooks;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  UPDATE webhooks SET
    url = coalesce(p_changes->>'url', url),
    events = CASE WHEN p_changes ? 'events' THEN ARRAY(SELECT jsonb_array_elements_text(p_changes->'events')) ELSE events END,
    enabled = coalesce((p_changes->>'enabled')::boolean, enabled),
    disabled_reason = CASE WHEN p_changes ? 'enabled' THEN NULL ELSE disabled_reason END,
    failing_since = CASE WHEN p_changes ?| ARRAY['enabled', 'url'] THEN NULL ELSE failing_since END,
    updated_at = now()
  WHERE id = p_id AND user_id = p_user RETURNING * INTO changed;
  RETURN json_build_object('auth_ok', true, 'webhook', CASE WHEN FOUND THEN webhook_row_v1(changed) END);
END $$;

CREATE FUNCTION rotate_webhook_secret_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret bytea, p_overlap_s integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  changed webhooks;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  UPDATE webhooks SET previous_secret_sealed = secret_sealed, secret_sealed = p_secret, updated_at = now(),
    previous_secret_expires_at = now() + make_interval(secs => p_overlap_s)
  WHERE id = p_id AND user_id = p_user RETURNING * INTO changed;
  RETURN json_build_object('auth_ok', true, 'webhook', CASE WHEN FOUND THEN webhook_row_v1(changed) END);
END $$;

CREATE FUNCTION delete_webhook_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  DELETE FROM webhooks WHERE id = p_id AND user_id = p_user;
  RETURN json_build_object('auth_ok', true, 'found', FOUND);
END $$;

CREATE FUNCTION webhook_delivery_row_v1(d webhook_deliveries) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', d.id, 'webhook_id', d.webhook_id, 'occurred_at', id_created_at(d.id), 'event', d.event,
    'data', d.data, 'state', d.state, 'attempts', d.attempts, 'next_attempt_at', d.next_attempt_at)
$$;

CREATE FUNCTION list_webhook_deliveries_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_before bigint, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  ELSIF NOT EXISTS (SELECT FROM webhooks WHERE id = p_id AND user_id = p_user) THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'found', true, 'deliveries', (
    SELECT coalesce(json_agg(webhook_delivery_row_v1(d) ORDER BY d.id DESC), '[]') FROM (
      SELECT * FROM webhook_deliveries WHERE webhook_id = p_id AND id < p_before ORDER BY id DESC LIMIT p_limit) d));
END $$;

-- The same delivery again, with all its tries before it. One that is being attempted is let finish.
CREATE FUNCTION replay_webhook_delivery_v1(p_session bigint, p_client text, p_user bigint, p_id bigint, p_delivery bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  w webhooks;
  d webhook_deliveries;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO w FROM webhooks WHERE id = p_id AND user_id = p_user FOR SHARE;
  SELECT * INTO d FROM webhook_deliveries WHERE id = p_delivery AND webhook_id = w.id FOR UPDATE;
  IF d.id IS NULL THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  ELSIF NOT w.enabled THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'disabled');
  ELSIF d.attempt IS NOT NULL AND d.next_attempt_at > now() THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'running');
  END IF;
  UPDATE webhook_deliveries SET state = 'pending', tries = 0, attempt = NULL, next_attempt_at = now(), dispatched_at = now()
  WHERE id = d.id RETURNING * INTO d;
  RETURN json_build_object('auth_ok', true, 'outcome', 'due', 'delivery', webhook_delivery_row_v1(d));
END $$;

-- An event of which only this webhook is told.
CREATE FUNCTION test_webhook_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  w webhooks;
  d webhook_deliveries;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO w FROM webhooks WHERE id = p_id AND user_id = p_user FOR SHARE;
  IF w.id IS NULL THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  ELSIF NOT w.enabled THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'disabled');
  END IF;
  INSERT INTO webhook_deliveries (webhook_id, event, data, dispatched_at)
  VALUES (w.id, 'webhook.test', jsonb_build_object('user', event_user_v1(p_user)), now()) RETURNING * INTO d;
  RETURN json_build_object('auth_ok', true, 'outcome', 'due', 'delivery', webhook_delivery_row_v1(d));
END $$;

-- Whose owner left or was disabled, or whose app was, is told nothing.
CREATE FUNCTION webhook_is_open_v1(w webhooks) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT w.enabled AND NOT EXISTS (SELECT FROM users u WHERE u.id = w.user_id AND u.disabled_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM apps a WHERE a.id = w.app_id AND a.disabled_at IS NOT NULL)
$$;

-- Due deliveries that are not on their way, marked as sent: of each webhook some, so that a busy one holds up no other.
CREATE FUNCTION dispatch_webhook_deliveries_v1(p_each integer, p_limit integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  sent json;
BEGIN
  WITH due AS (
    SELECT d.id FROM webhooks w, LATERAL (
      SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.state = 'pending' AND d.next_attempt_at <= now()
        AND (d.dispatched_at < now() - interval '1 minute') IS NOT FALSE
      ORDER BY d.next_attempt_at LIMIT p_each FOR UPDATE SKIP LOCKED) d
    WHERE w.enabled AND webhook_is_open_v1(w)
    ORDER BY d.next_attempt_at LIMIT p_limit
  ), marked AS (
    UPDATE webhook_deliveries d SET dispatched_at = now() FROM due WHERE d.id = due.id RETURNING d.id)
  SELECT coalesce(json_agg(id), '[]') INTO sent FROM marked;
  RETURN sent;
END $$;

-- Of those who come for one delivery at once, one gets it; null for all others. The next attempt is set as if this one will
-- not be heard of again, and counts. After ten, over some three days, it has failed.
CREATE FUNCTION begin_webhook_delivery_v1(p_id bigint, p_attempt uuid) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d webhook_deliveries;
  w webhooks;
BEGIN
  SELECT * INTO d FROM webhook_deliveries WHERE id = p_id AND state = 'pending' AND next_attempt_at <= now() FOR UPDATE;
  SELECT * INTO w FROM webhooks WHERE id = d.webhook_id;
  IF w.id IS NULL OR NOT webhook_is_open_v1(w) THEN
    RETURN NULL;
  ELSIF d.tries >= 10 THEN
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt = NULL WHERE id = d.id;
    RETURN NULL;
  END IF;
  UPDATE webhook_deliveries SET tries = tries + 1, attempt = p_attempt, next_attempt_at = now() + interval '1 minute'
  WHERE id = d.id;
  RETURN json_build_object('delivery', webhook_delivery_row_v1(d), 'url', w.url, 'secrets', json_build_array(
    encode(w.secret_sealed, 'base64'),
    CASE WHEN w.previous_secret_expires_at > now() THEN encode(w.previous_secret_sealed, 'base64') END));
END $$;

-- What became of an attempt; `p_result` is what the log keeps of it, with `retry_after_s` where the receiver named one. Null
-- where another attempt has taken its place, else how it goes on. A webhook that says it is gone, or has failed for five
-- days, is told nothing more.
CREATE FUNCTION settle_webhook_delivery_v1(p_id bigint, p_attempt uuid, p_result jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  -- Seconds after each attempt: github.com/standard-webhooks/standard-webhooks, "Deliverability and reliability".
  waits CONSTANT integer[] := '{5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400}';
  delivered boolean := p_result->>'failure' IS NULL;
  d webhook_deliveries;
  wait_s float8;
  reason text;
BEGIN
  -- The webhook first, as whoever switches it off holds it before its deliveries.
  PERFORM FROM webhooks WHERE id = (SELECT webhook_id FROM webhook_deliveries WHERE id = p_id) FOR NO KEY UPDATE;
  UPDATE webhook_deliveries SET attempt = NULL, attempts =
    CASE WHEN jsonb_array_length(attempts) >= 20 THEN attempts - 0 ELSE attempts END || (p_result - 'retry_after_s')
  WHERE id = p_id AND attempt = p_attempt RETURNING * INTO d;
  IF NOT FOUND THEN
    RETURN NULL;
  ELSIF NOT delivered THEN
    -- Spread, so that what failed together does not come back together.
    wait_s := greatest(waits[d.tries] * (1 + random() / 5), least(coalesce((p_result->>'retry_after_s')::float8, 0), 86400));
  END IF;
  UPDATE webhook_deliveries SET
    state = CASE WHEN delivered THEN 'delivered' WHEN d.tries > cardinality(waits) THEN 'failed' ELSE 'pending' END,
    next_attempt_at = CASE WHEN NOT delivered AND d.tries <= cardinality(waits) THEN now() + make_interval(secs => wait_s) END,
    dispatched_at = CASE WHEN wait_s < 60 THEN now() + make_interval(secs => wait_s) END
  WHERE id = d.id RETURNING * INTO d;
  IF delivered THEN
    UPDATE webhooks SET failing_since = NULL WHERE id = d.webhook_id AND failing_since IS NOT NULL;
  ELSE
    UPDATE webhooks SET failing_since = coalesce(failing_since, now()),
      disabled_reason = CASE WHEN (p_result->>'response_code')::integer = 410 THEN 'gone'
        WHEN failing_since < now() - interval '5 days' THEN 'failing' END
    WHERE id = d.webhook_id AND enabled RETURNING disabled_reason INTO reason;
    UPDATE webhooks SET enabled = false, updated_at = now() WHERE id = d.webhook_id AND reason IS NOT NULL;
  END IF;
  RETURN json_build_object('webhook', d.webhook_id, 'state', d.state, 'retry_in_s',
    CASE WHEN d.state = 'pending' AND reason IS NULL THEN wait_s END, 'disabled', reason, 'owner_email', (
      SELECT a.email FROM accounts a JOIN webhooks w ON w.user_id = a.user_id
      WHERE w.id = d.webhook_id AND reason IS NOT NULL AND a.confirmed_at IS NOT NULL));
END $$;

-- Some of what the log has kept for 30 days, by id, which is by time.
CREATE FUNCTION forget_webhook_deliveries_v1(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH forgotten AS (
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE state <> 'pending'
        AND id < ((extract(epoch FROM now() - interval '30 days') * 1000)::bigint - 1704067200000) << 12
      ORDER BY id LIMIT p_limit FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::integer FROM forgotten
$$;

-- What `export_account_v1` is to be completed by; null for nobody.
CREATE FUNCTION export_webhooks_v1(p_session text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('webhooks', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'app_id', w.app_id, 'url', w.url, 'events', w.events,
        'enabled', w.enabled, 'disabled_reason', w.disabled_reason, 'created_at', id_created_at(w.id),
        'updated_at', w.updated_at) ORDER BY w.id), '[]')
    FROM webhooks w WHERE w.user_id = u.id))
  FROM (SELECT (site_user_v1(p_session)->>'id')::bigint AS id) u WHERE u.id IS NOT NULL
$$;
