CREATE TABLE "play_marks" (
	"mark" "bytea" PRIMARY KEY NOT NULL,
	"counted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recent_plays" (
	"user_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	"played_at" timestamp with time zone NOT NULL,
	CONSTRAINT "recent_plays_user_id_track_id_pk" PRIMARY KEY("user_id","track_id")
);
--> statement-breakpoint
ALTER TABLE "recent_plays" ADD CONSTRAINT "recent_plays_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recent_plays" ADD CONSTRAINT "recent_plays_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "play_marks_counted_at_idx" ON "play_marks" USING btree ("counted_at");--> statement-breakpoint
CREATE INDEX "recent_plays_user_id_idx" ON "recent_plays" USING btree ("user_id","played_at");--> statement-breakpoint
CREATE INDEX "recent_plays_track_id_idx" ON "recent_plays" USING btree ("track_id");
--> statement-breakpoint
-- Notes one play: in the user's history, and as counted where none was within 30 minutes before. The mark moves only forward,
-- so what comes twice or late counts nothing. Of those who come at once, one finds it unset.
CREATE FUNCTION note_play_v1(p_track bigint, p_mark bytea, p_user bigint, p_at timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  history_length CONSTANT integer := 100;
  counted boolean;
BEGIN
  INSERT INTO play_marks AS m (mark, counted_at) VALUES (p_mark, p_at)
  ON CONFLICT (mark) DO UPDATE SET counted_at = excluded.counted_at
  WHERE m.counted_at <= excluded.counted_at - interval '30 minutes';
  counted := FOUND;
  IF p_user IS NOT NULL THEN
    INSERT INTO recent_plays AS r (user_id, track_id, played_at)
    SELECT u.id, p_track, p_at FROM users u WHERE u.id = p_user AND u.disabled_at IS NULL
    ON CONFLICT (user_id, track_id) DO UPDATE SET played_at = excluded.played_at WHERE r.played_at < excluded.played_at;
    DELETE FROM recent_plays WHERE user_id = p_user AND played_at < (
      SELECT played_at FROM recent_plays WHERE user_id = p_user
      ORDER BY played_at DESC LIMIT 1 OFFSET history_length - 1);
  END IF;
  RETURN counted;
END $$;

-- A batch of plays, as the queue delivers them, perhaps again: `track`, `mark` in Base64, `user` or null, and `at` in
-- milliseconds since 1970. How many counted. The tracks are held first, as `mark_track_v1` does, and all batches go in one
-- order, so that none wait for each other in a ring.
CREATE FUNCTION count_plays_v1(p_plays jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  play record;
  counted bigint[] := '{}';
BEGIN
  PERFORM FROM tracks t WHERE t.id IN (SELECT (p->>'track')::bigint FROM jsonb_array_elements(p_plays) p)
  ORDER BY t.id FOR KEY SHARE;
  FOR play IN
    SELECT t.id AS track, decode(p->>'mark', 'base64') AS mark, (p->>'user')::bigint AS listener, a.at
    FROM jsonb_array_elements(p_plays) p JOIN tracks t ON t.id = (p->>'track')::bigint,
      LATERAL (SELECT least(to_timestamp((p->>'at')::float8 / 1000), now()) AS at OFFSET 0) a
    -- Marks are kept half an hour longer than this, so that none is missing that would have stopped it.
    WHERE a.at > now() - interval '6 hours'
    ORDER BY track, mark, at
  LOOP
    IF note_play_v1(play.track, play.mark, play.listener, play.at) THEN
      counted := counted || play.track;
    END IF;
  END LOOP;
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', c.track, 'playback_count', count(*) FROM unnest(counted) AS c(track) GROUP BY c.track;
  RETURN cardinality(counted);
END $$;

-- A play that a client tells of. Who may stream the track may play it.
CREATE FUNCTION play_track_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_mark bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  access text;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
  access := CASE WHEN FOUND THEN track_access_v1(t, p_user, p_secret_hash, p_country) ELSE 'none' END;
  IF access = 'none' THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  ELSIF t.sharing = 'private' AND p_user IS NULL THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'needs_user');
  ELSIF access = 'blocked' THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'blocked');
  ELSIF t.state <> 'finished' THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_ready');
  END IF;
  IF note_play_v1(p_id, p_mark, p_user, now()) THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('track', p_id, 'playback_count', 1);
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done');
END $$;

-- Some of the marks that stop no play any more.
CREATE FUNCTION forget_play_marks_v1(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH forgotten AS (
    DELETE FROM play_marks WHERE mark IN (
      SELECT mark FROM play_marks WHERE counted_at < now() - interval '390 minutes' LIMIT p_limit FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::integer FROM forgotten
$$;

-- The caller's last plays, newest first, as `track_page_v1` has them: of what is listed for everybody, and their own.
CREATE FUNCTION list_recent_plays_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_access text[], p_limit integer, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  paying boolean;
  played bigint[];
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  paying := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  SELECT array_agg(p.track_id ORDER BY p.played_at DESC) INTO played FROM (
    SELECT r.track_id, r.played_at
    FROM recent_plays r JOIN tracks t ON t.id = r.track_id JOIN users o ON o.id = t.user_id
    WHERE r.user_id = p_user AND (t.state <> 'failed' OR t.user_id = p_user)
      AND track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user, t.sharing = 'private', t.streamable,
        t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
        t.paywall, paying) = ANY (coalesce(p_access, ARRAY['playable', 'preview', 'blocked']))
    ORDER BY r.played_at DESC LIMIT p_limit) p;
  RETURN json_build_object('auth_ok', true, 'tracks', track_page_v1(p_user, p_country, coalesce(played, '{}'), p_known));
END $$;

-- Of the export of an account what its user played; null for nobody.
CREATE FUNCTION exported_plays_v1(p_session text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('recently_played', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('track_id', r.track_id, 'played_at', r.played_at) ORDER BY r.played_at DESC), '[]')
    FROM recent_plays r WHERE r.user_id = u.id))
  FROM (SELECT (site_user_v1(p_session)->>'id')::bigint AS id OFFSET 0) u WHERE u.id IS NOT NULL
$$;

-- What a busy subject is owed is added up among itself on the way, without touching the subject: of a track that everybody
-- likes and plays some hundred deltas are pending at any time, not the thousands of five minutes, which every read adds up.
-- Nobody waits for it but a roll-up that took the same deltas, for as long as a like takes.
CREATE FUNCTION fold_counter_deltas() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH pending AS MATERIALIZED (
    SELECT id FROM counter_deltas WHERE subject_id = new.subject_id AND kind = new.kind FOR UPDATE SKIP LOCKED
  ), folded AS (
    DELETE FROM counter_deltas d USING pending p WHERE d.id = p.id RETURNING d.counter, d.delta)
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT new.kind, new.subject_id, counter, sum(delta) FROM folded GROUP BY counter;
  RETURN NULL;
END $$;

CREATE TRIGGER counter_deltas_are_folded AFTER INSERT ON counter_deltas FOR EACH ROW
WHEN (new.id % 128 = 0) EXECUTE FUNCTION fold_counter_deltas();
