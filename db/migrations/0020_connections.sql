CREATE TABLE "connection_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"session_id" bigint NOT NULL,
	"service" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"verifier_sealed" "bytea" NOT NULL,
	"post_favorite" boolean,
	"post_publish" boolean,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connection_posts" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"connection_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now(),
	CONSTRAINT "connection_posts_connection_id_track_id_kind_key" UNIQUE("connection_id","track_id","kind"),
	CONSTRAINT "connection_posts_kind" CHECK ("connection_posts"."kind" in ('favorite', 'publish'))
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"service" text NOT NULL,
	"external_id" text NOT NULL,
	"display_name" text NOT NULL,
	"post_favorite" boolean NOT NULL,
	"post_publish" boolean NOT NULL,
	"tokens_sealed" "bytea" NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	CONSTRAINT "connections_user_id_service_external_id_key" UNIQUE("user_id","service","external_id")
);
--> statement-breakpoint
ALTER TABLE "connection_attempts" ADD CONSTRAINT "connection_attempts_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_posts" ADD CONSTRAINT "connection_posts_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_posts" ADD CONSTRAINT "connection_posts_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connection_attempts_session_id_idx" ON "connection_attempts" USING btree ("session_id","expires_at");--> statement-breakpoint
CREATE INDEX "connection_attempts_expires_at_idx" ON "connection_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "connection_posts_track_id_idx" ON "connection_posts" USING btree ("track_id");--> statement-breakpoint
CREATE INDEX "connection_posts_due_at_idx" ON "connection_posts" USING btree ("due_at") WHERE "connection_posts"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "connections_user_id_idx" ON "connections" USING btree ("user_id","id");
--> statement-breakpoint

CREATE FUNCTION connection_rows_v1(p_ids bigint[]) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.id DESC), '[]') FROM (
    SELECT c.id, id_created_at(c.id) AS created_at, c.updated_at, c.service, c.display_name, c.post_favorite, c.post_publish
    FROM connections c WHERE c.id = ANY (p_ids)) r
$$;

CREATE FUNCTION list_connections_v1(
  p_session bigint, p_client text, p_user bigint, p_before bigint, p_offset integer, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'connections', connection_rows_v1(ARRAY(
    SELECT c.id FROM connections c WHERE c.user_id = p_user AND c.id < p_before ORDER BY c.id DESC OFFSET p_offset LIMIT p_limit)));
END $$;

CREATE FUNCTION find_connection_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'connection', connection_rows_v1(ARRAY(
    SELECT c.id FROM connections c WHERE c.id = p_id AND c.user_id = p_user))->0);
END $$;

-- `p_changes` holds columns, `p_expected` when it may have been written last, or null.
CREATE FUNCTION update_connection_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  stored connections;
  wanted connections;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO stored FROM connections c WHERE c.id = p_id AND c.user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  ELSIF stored.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'changed');
  END IF;
  wanted := jsonb_populate_record(stored, p_changes);
  IF wanted IS DISTINCT FROM stored THEN
    UPDATE connections SET post_favorite = wanted.post_favorite, post_publish = wanted.post_publish, updated_at = now()
    WHERE id = p_id;
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'connection', connection_rows_v1(ARRAY[p_id])->0);
END $$;

CREATE FUNCTION delete_connection_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  DELETE FROM connections c
  WHERE c.id = p_id AND c.user_id = p_user AND (p_expected IS NULL OR c.updated_at = ANY (p_expected));
  RETURN json_build_object('auth_ok', true, 'outcome', CASE WHEN FOUND THEN 'done'
    WHEN EXISTS (SELECT FROM connections c WHERE c.id = p_id AND c.user_id = p_user) THEN 'changed' ELSE 'unknown' END);
END $$;

-- Of one session only the latest are kept, so that beginning again and again fills nothing.
CREATE FUNCTION begin_connection_v1(p_session bigint, p_client text, p_user bigint, p_attempt jsonb, p_ttl_s integer, p_kept integer)
RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  DELETE FROM connection_attempts WHERE state_hash IN (
    SELECT state_hash FROM connection_attempts WHERE session_id = p_session ORDER BY expires_at DESC OFFSET p_kept - 1);
  INSERT INTO connection_attempts (state_hash, session_id, service, redirect_uri, verifier_sealed, post_favorite, post_publish,
    expires_at)
  SELECT n.state_hash, p_session, n.service, n.redirect_uri, n.verifier_sealed, n.post_favorite, n.post_publish,
    now() + make_interval(secs => p_ttl_s)
  FROM jsonb_populate_record(NULL::connection_attempts, p_attempt) n;
  RETURN json_build_object('auth_ok', true);
END $$;

-- Whoever comes back takes the attempt, whatever becomes of it; null where there is none that counts. A browser that is signed
-- in as somebody else carries a link that it was given: what it allowed is not for the account that began.
CREATE FUNCTION take_connection_attempt_v1(p_state_hash text, p_site_session text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  taken connection_attempts;
  beginner json;
BEGIN
  DELETE FROM connection_attempts WHERE state_hash = p_state_hash RETURNING * INTO taken;
  SELECT json_build_object('session_id', s.id, 'client_id', a.client_id, 'user_id', s.user_id) INTO beginner
  FROM sessions s JOIN apps a ON a.id = s.app_id
  WHERE s.id = taken.session_id AND taken.expires_at > now() AND session_is_live_v1(s.id, a.client_id, s.user_id);
  IF beginner IS NULL THEN
    RETURN NULL;
  ELSIF site_user_v1(p_site_session)->>'id' <> beginner->>'user_id' THEN
    RETURN json_build_object('outcome', 'someone_elses');
  END IF;
  RETURN json_build_object('outcome', 'taken', 'beginner', beginner, 'service', taken.service,
    'redirect_uri', taken.redirect_uri, 'verifier_sealed', encode(taken.verifier_sealed, 'base64'),
    'post_favorite', taken.post_favorite, 'post_publish', taken.post_publish);
END $$;

-- All of a round trip or none. A profile that was connected before keeps its id, and its settings where nothing was asked.
CREATE FUNCTION save_connections_v1(
  p_session bigint, p_client text, p_user bigint, p_found jsonb, p_post_favorite boolean, p_post_publish boolean
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  INSERT INTO connections (user_id, service, external_id, display_name, tokens_sealed, post_favorite, post_publish)
  SELECT p_user, f.service, f.external_id, f.display_name, f.tokens_sealed, coalesce(p_post_favorite, false),
    coalesce(p_post_publish, false)
  FROM jsonb_populate_recordset(NULL::connections, p_found) f
  -- In one order, so that of two round trips at once neither waits for the other.
  ORDER BY f.service, f.external_id
  ON CONFLICT (user_id, service, external_id) DO UPDATE SET display_name = excluded.display_name,
    tokens_sealed = excluded.tokens_sealed, post_favorite = coalesce(p_post_favorite, connections.post_favorite),
    post_publish = coalesce(p_post_publish, connections.post_publish), updated_at = now();
  RETURN json_build_object('auth_ok', true);
END $$;

-- What the account's export says of them.
CREATE FUNCTION exported_connections_v1(p_site_session text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('connections', coalesce(jsonb_agg(to_jsonb(c) - ARRAY['user_id', 'tokens_sealed'] ORDER BY c.id), '[]'))
  FROM connections c WHERE c.user_id = (site_user_v1(p_site_session)->>'id')::bigint
$$;

-- Whoever leaves takes back at once what we could act by; the rest of the user is erased later.
CREATE FUNCTION drop_connections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM connections WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE TRIGGER leavers_are_disconnected AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION drop_connections();

-- Written with the like itself, so that none is lost; a connection is told of a track once.
CREATE FUNCTION post_favorite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_posts (connection_id, track_id, kind)
  SELECT c.id, t.id, 'favorite' FROM connections c JOIN tracks t ON t.id = NEW.track_id
  WHERE c.user_id = NEW.user_id AND c.post_favorite AND t.sharing = 'public' AND t.state = 'finished'
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER favorites_are_posted AFTER INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION post_favorite();

CREATE FUNCTION post_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_posts (connection_id, track_id, kind)
  SELECT c.id, NEW.id, 'publish' FROM connections c WHERE c.user_id = NEW.user_id AND c.post_publish
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER publications_are_posted AFTER UPDATE OF state, sharing ON tracks FOR EACH ROW
WHEN (NEW.sharing = 'public' AND NEW.state = 'finished' AND (OLD.sharing <> 'public' OR OLD.state <> 'finished'))
EXECUTE FUNCTION post_publication();

-- Connections with something to post that nobody posts to just now.
CREATE FUNCTION due_connections_v1(p_limit integer) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(DISTINCT r.id), '[]') FROM (
    SELECT c.id FROM connection_posts p JOIN connections c ON c.id = p.connection_id JOIN users u ON u.id = c.user_id
    WHERE p.due_at <= now() AND (c.leased_until > now()) IS NOT TRUE AND u.disabled_at IS NULL
    ORDER BY p.due_at LIMIT p_limit) r
$$;

-- What is to be posted now, oldest first; null where somebody else posts there, or it is gone. What was taken back meanwhile is
-- not posted, and may be later.
CREATE FUNCTION lease_connection_posts_v1(p_connection bigint, p_lease_s integer, p_limit integer) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  leased connections;
BEGIN
  UPDATE connections c SET leased_until = now() + make_interval(secs => p_lease_s) FROM users u
  WHERE c.id = p_connection AND (c.leased_until > now()) IS NOT TRUE AND u.id = c.user_id AND u.disabled_at IS NULL
  RETURNING c.* INTO leased;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  DELETE FROM connection_posts p USING tracks t
  WHERE p.connection_id = p_connection AND p.due_at <= now() AND t.id = p.track_id
    AND NOT (t.sharing = 'public' AND t.state = 'finished' AND CASE p.kind
      WHEN 'publish' THEN leased.post_publish
      ELSE leased.post_favorite
        AND EXISTS (SELECT FROM favorites f WHERE f.user_id = leased.user_id AND f.track_id = p.track_id) END);
  RETURN json_build_object('leased_until', leased.leased_until, 'service', leased.service, 'external_id', leased.external_id,
    'tokens_sealed', encode(leased.tokens_sealed, 'base64'), 'posts', (
      SELECT coalesce(json_agg(r ORDER BY r.id), '[]') FROM (
        SELECT p.id, p.kind, t.title, t.permalink, u.permalink AS user_permalink, u.username
        FROM connection_posts p JOIN tracks t ON t.id = p.track_id JOIN users u ON u.id = t.user_id
        WHERE p.connection_id = p_connection AND p.due_at <= now() ORDER BY p.id LIMIT p_limit) r));
END $$;

-- `p_outcomes` holds `done` or `again` by the post's id; what goes again waits twice as long each time, until it is given up.
-- A service that refuses us altogether is not asked again until the user says so.
CREATE FUNCTION settle_connection_posts_v1(
  p_connection bigint, p_leased_until timestamptz, p_outcomes jsonb, p_refused boolean, p_wait_s integer, p_attempts integer
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE connection_posts p SET attempts = p.attempts + 1,
    due_at = CASE WHEN o.value = 'again' AND p.attempts + 1 < p_attempts
      THEN now() + make_interval(secs => p_wait_s) * 2 ^ p.attempts END
  FROM jsonb_each_text(p_outcomes) o WHERE p.id = o.key::bigint AND p.connection_id = p_connection;
  UPDATE connections SET leased_until = NULL WHERE id = p_connection AND leased_until = p_leased_until;
  IF p_refused THEN
    UPDATE connections SET post_favorite = false, post_publish = false, updated_at = now() WHERE id = p_connection;
    DELETE FROM connection_posts WHERE connection_id = p_connection AND due_at IS NOT NULL;
  END IF;
END $$;
