CREATE TABLE "counter_deltas" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "counter_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"counter" text NOT NULL,
	"delta" integer NOT NULL,
	CONSTRAINT "counter_deltas_counter" CHECK (("counter_deltas"."kind" = 'track' and "counter_deltas"."counter" in ('comment_count', 'download_count', 'playback_count', 'favoritings_count')) or ("counter_deltas"."kind" = 'user' and "counter_deltas"."counter" in ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count')))
);
--> statement-breakpoint
CREATE TABLE "favorites" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	CONSTRAINT "favorites_user_id_track_id_pk" PRIMARY KEY("user_id","track_id")
);
--> statement-breakpoint
CREATE TABLE "track_shares" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"track_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"note" text,
	CONSTRAINT "track_shares_track_id_user_id_pk" PRIMARY KEY("track_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "sanitizer_version" smallint;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_shares" ADD CONSTRAINT "track_shares_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_shares" ADD CONSTRAINT "track_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uploads_track_id_idx" ON "uploads" USING btree ("track_id") WHERE "uploads"."track_id" is not null;
--> statement-breakpoint
CREATE INDEX favorites_track_id_idx ON favorites (track_id, id DESC) INCLUDE (user_id);
CREATE INDEX favorites_user_id_idx ON favorites (user_id, id DESC) INCLUDE (track_id);
CREATE INDEX track_shares_user_id_idx ON track_shares (user_id, id DESC) INCLUDE (track_id);
CREATE INDEX counter_deltas_subject_idx ON counter_deltas (subject_id, kind) INCLUDE (counter, delta);

-- Adds up what is pending. A subject that somebody else holds waits for the next run, so this never waits for anybody; what
-- is owed to a deleted one is dropped. The number of deltas taken.
CREATE FUNCTION roll_up_counters_v1(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH batch AS MATERIALIZED (
    SELECT id, kind, subject_id FROM counter_deltas ORDER BY id LIMIT p_limit
  ), held_tracks AS MATERIALIZED (
    SELECT t.id FROM tracks t WHERE t.id IN (SELECT subject_id FROM batch WHERE kind = 'track')
    FOR NO KEY UPDATE SKIP LOCKED
  ), held_users AS MATERIALIZED (
    SELECT u.id FROM users u WHERE u.id IN (SELECT subject_id FROM batch WHERE kind = 'user')
    FOR NO KEY UPDATE SKIP LOCKED
  ), taken AS (
    DELETE FROM counter_deltas d USING batch b
    WHERE d.id = b.id AND CASE b.kind
      WHEN 'track' THEN b.subject_id IN (SELECT id FROM held_tracks)
        OR NOT EXISTS (SELECT FROM tracks t WHERE t.id = b.subject_id)
      ELSE b.subject_id IN (SELECT id FROM held_users) OR NOT EXISTS (SELECT FROM users u WHERE u.id = b.subject_id) END
    RETURNING d.kind, d.subject_id, d.counter, d.delta
  ), owed AS (
    SELECT kind, subject_id, jsonb_object_agg(counter, delta) AS counts
    FROM (SELECT kind, subject_id, counter, sum(delta) AS delta FROM taken GROUP BY kind, subject_id, counter) c
    GROUP BY kind, subject_id
  ), counted_tracks AS (
    UPDATE tracks t SET
      comment_count = t.comment_count + coalesce((counts->>'comment_count')::bigint, 0),
      download_count = t.download_count + coalesce((counts->>'download_count')::bigint, 0),
      playback_count = t.playback_count + coalesce((counts->>'playback_count')::bigint, 0),
      favoritings_count = t.favoritings_count + coalesce((counts->>'favoritings_count')::bigint, 0)
    FROM owed WHERE kind = 'track' AND t.id = subject_id
  ), counted_users AS (
    UPDATE users u SET
      playlist_count = u.playlist_count + coalesce((counts->>'playlist_count')::bigint, 0),
      private_playlists_count = u.private_playlists_count + coalesce((counts->>'private_playlists_count')::bigint, 0),
      followers_count = u.followers_count + coalesce((counts->>'followers_count')::bigint, 0),
      followings_count = u.followings_count + coalesce((counts->>'followings_count')::bigint, 0),
      public_favorites_count = u.public_favorites_count + coalesce((counts->>'public_favorites_count')::bigint, 0)
    FROM owed WHERE kind = 'user' AND u.id = subject_id
  )
  SELECT count(*)::integer FROM taken
$$;

-- The reply to a change of a track that is not the caller's: they may see it, or for them there is none.
CREATE FUNCTION not_own_track_v1(p_user bigint, p_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('auth_ok', true, 'outcome', CASE WHEN EXISTS (
    SELECT FROM tracks t WHERE t.id = p_id AND track_access_v1(t, p_user, NULL, NULL) <> 'none')
    THEN 'not_yours' ELSE 'unknown' END)
$$;

-- A day needs its month to be checked, a month no year: February then has 29 days.
CREATE FUNCTION is_release_date_v1(p_year integer, p_month integer, p_day integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_day IS NULL OR p_month IS NULL
    OR p_day <= extract(day FROM make_date(coalesce(p_year, 2000), p_month, 1) + interval '1 month - 1 day')
$$;

-- Why a track cannot be as it would be with the fields `p_sent`; null where it can.
CREATE FUNCTION track_fault_v1(t tracks, p_sent jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_sent ? 'label_id' AND t.label_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = t.label_id AND u.disabled_at IS NULL) THEN 'unknown_label'
    WHEN NOT is_release_date_v1(t.release_year, t.release_month, t.release_day) THEN 'no_such_date'
    WHEN p_sent ? 'permalink' AND EXISTS (
      SELECT FROM tracks o WHERE o.user_id = t.user_id AND o.permalink = t.permalink AND o.id IS DISTINCT FROM t.id)
      THEN 'permalink_taken'
  END
$$;

-- A track with its encoding job. Without a permalink of its own it gets `p_permalink`, or that with a number. What
-- `track_fault_v1` looks at was looked at before, under the lock `lock_permalinks_v1` of the same transaction.
CREATE FUNCTION insert_track_v1(
  p_track tracks, p_permalink text, p_secret_hash bytea, p_secret_sealed bytea, p_key text, p_filename text, p_size bigint
) RETURNS tracks LANGUAGE plpgsql AS $$
DECLARE
  made tracks;
  wanted text := p_permalink;
BEGIN
  IF p_track.permalink IS NULL THEN
    FOR n IN 1 .. 20 LOOP
      EXIT WHEN NOT EXISTS (SELECT FROM tracks WHERE user_id = p_track.user_id AND permalink = wanted);
      -- After a few tries the time-ordered id settles it.
      wanted := p_permalink || '-' || CASE WHEN n < 10 THEN n ELSE next_id() END;
    END LOOP;
  END IF;
  INSERT INTO tracks (user_id, app_id, title, permalink, artist, description, sanitizer_version, genre, tag_list, track_type,
    license, label_id, label_name, release, release_day, release_month, release_year, isrc, bpm, key_signature,
    purchase_url, purchase_title, video_url, artwork_version, sharing, embeddable_by, streamable, downloadable, commentable,
    paywall, available_country_codes, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
  VALUES (p_track.user_id, p_track.app_id, p_track.title, coalesce(p_track.permalink, wanted),
    nullif(p_track.artist, (SELECT username FROM users WHERE id = p_track.user_id)), p_track.description,
    p_track.sanitizer_version, p_track.genre, coalesce(p_track.tag_list, ''), p_track.track_type,
    coalesce(p_track.license, 'all-rights-reserved'), p_track.label_id, p_track.label_name, p_track.release,
    p_track.release_day, p_track.release_month, p_track.release_year, p_track.isrc, p_track.bpm, p_track.key_signature,
    p_track.purchase_url, p_track.purchase_title, p_track.video_url, p_track.artwork_version, coalesce(p_track.sharing, 'public'),
    coalesce(p_track.embeddable_by, 'all'), coalesce(p_track.streamable, true), coalesce(p_track.downloadable, false),
    coalesce(p_track.commentable, true), p_track.paywall, p_track.available_country_codes, p_secret_hash, p_secret_sealed,
    p_key, p_filename, p_size)
  RETURNING * INTO made;
  INSERT INTO encoding_jobs (track_id, dispatched_at) VALUES (made.id, now());
  RETURN made;
END $$;

-- Of one user's requests that choose permalinks, each sees what the one before it chose.
CREATE FUNCTION lock_permalinks_v1(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('track_permalink'), hashint8(p_user))
$$;

-- `p_changes` holds columns that the owner may write, `p_expected` when it may have been written last, or null. A private track made public is new in feeds.
CREATE FUNCTION update_track_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  stored tracks;
  wanted tracks;
  fault text;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF p_changes ? 'permalink' THEN
    PERFORM lock_permalinks_v1(p_user);
  END IF;
  SELECT * INTO stored FROM tracks WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track_v1(p_user, p_id);
  END IF;
  IF stored.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'changed');
  END IF;
  wanted := jsonb_populate_record(stored, p_changes);
  fault := track_fault_v1(wanted, p_changes);
  IF fault IS NOT NULL THEN
    RETURN json_build_object('auth_ok', true, 'outcome', fault);
  END IF;
  wanted.artist := nullif(wanted.artist, (SELECT username FROM users WHERE id = p_user));
  IF stored.sharing = 'private' AND wanted.sharing = 'public' THEN
    wanted.published_id := next_id();
  END IF;
  IF wanted IS DISTINCT FROM stored THEN
    UPDATE tracks SET updated_at = now(), published_id = wanted.published_id, title = wanted.title,
      permalink = wanted.permalink, artist = wanted.artist, description = wanted.description,
      sanitizer_version = wanted.sanitizer_version, genre = wanted.genre, tag_list = wanted.tag_list,
      track_type = wanted.track_type, license = wanted.license, label_id = wanted.label_id,
      label_name = wanted.label_name, release = wanted.release, release_day = wanted.release_day,
      release_month = wanted.release_month, release_year = wanted.release_year, isrc = wanted.isrc, bpm = wanted.bpm,
      key_signature = wanted.key_signature, purchase_url = wanted.purchase_url, purchase_title = wanted.purchase_title,
      video_url = wanted.video_url, artwork_version = wanted.artwork_version, sharing = wanted.sharing,
      embeddable_by = wanted.embeddable_by, streamable = wanted.streamable, downloadable = wanted.downloadable,
      commentable = wanted.commentable, paywall = wanted.paywall,
      available_country_codes = wanted.available_country_codes
    WHERE id = p_id RETURNING * INTO wanted;
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'track', track_row_v1(wanted, p_user, 'playable'));
END $$;

-- The rows go at once, the objects with the sweep; what an encode in flight still writes was listed when it began. The job
-- is locked before the track, as reports of encodes do.
CREATE FUNCTION delete_track_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  gone tracks;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  PERFORM FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id WHERE t.id = p_id AND t.user_id = p_user FOR UPDATE OF j;
  SELECT * INTO gone FROM tracks WHERE id = p_id AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track_v1(p_user, p_id);
  END IF;
  IF gone.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'changed');
  END IF;
  DELETE FROM uploads WHERE track_id = p_id;
  DELETE FROM tracks WHERE id = p_id;
  INSERT INTO object_garbage (prefix, bucket, due_at)
  SELECT gone.original_key, 'uploads', now() UNION SELECT gone.media_prefix, 'media', now() WHERE gone.media_prefix IS NOT NULL
  ON CONFLICT (prefix) DO UPDATE SET due_at = now();
  RETURN json_build_object('auth_ok', true, 'outcome', 'done');
END $$;

-- Links with the secret before this one are worth nothing from here on, media URLs among them.
CREATE FUNCTION rotate_track_secret_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_secret_sealed bytea
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  UPDATE tracks SET secret_hash = p_secret_hash, secret_sealed = p_secret_sealed, updated_at = now()
  WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_track_v1(p_user, p_id);
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done');
END $$;

CREATE FUNCTION track_shares_row_v1(p_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('auth_ok', true, 'outcome', 'done',
    'users', coalesce(json_agg(mini_user_v1(s.user_id) ORDER BY s.id), '[]'),
    'note', (array_agg(s.note ORDER BY s.id DESC))[1])
  FROM track_shares s JOIN users u ON u.id = s.user_id WHERE s.track_id = p_id AND u.disabled_at IS NULL
$$;

CREATE FUNCTION find_track_shares_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  PERFORM FROM tracks WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_track_v1(p_user, p_id);
  END IF;
  RETURN track_shares_row_v1(p_id);
END $$;

-- The whole list replaces the one before. Whoever stays on it keeps their place, so that it is no news to them.
CREATE FUNCTION share_track_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_users bigint[], p_note text
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  PERFORM FROM tracks WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track_v1(p_user, p_id);
  END IF;
  IF EXISTS (SELECT FROM unnest(p_users) AS named (id) WHERE named.id = p_user
      OR NOT EXISTS (SELECT FROM users u WHERE u.id = named.id AND u.disabled_at IS NULL)) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown_user');
  END IF;
  DELETE FROM track_shares WHERE track_id = p_id AND user_id <> ALL (p_users);
  INSERT INTO track_shares (track_id, user_id, note) SELECT DISTINCT p_id, named.id, p_note FROM unnest(p_users) AS named (id)
  ON CONFLICT (track_id, user_id) DO UPDATE SET note = excluded.note;
  RETURN track_shares_row_v1(p_id);
END $$;

-- The original of a track, for its owner in any state, for others where the owner lets them and it turned out to be audio.
CREATE FUNCTION download_track_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_counts boolean
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  access text;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_id;
  access := CASE WHEN FOUND THEN track_access_v1(t, p_user, p_secret_hash, p_country) ELSE 'none' END;
  IF access = 'none' THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  ELSIF t.sharing = 'private' AND p_user IS NULL THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'needs_user');
  ELSIF access <> 'playable' THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'blocked');
  ELSIF t.user_id IS DISTINCT FROM p_user AND NOT (t.downloadable AND t.state = 'finished') THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_downloadable');
  END IF;
  IF p_counts THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('track', p_id, 'download_count', 1);
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'key', t.original_key, 'filename', t.original_filename);
END $$;

-- A new generation of the job of a track that failed for our reasons, so that messages and reports of the old one count for
-- nothing. One guarded move: of two requests one finds the track in processing.
CREATE FUNCTION retry_track_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  next_generation integer;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  UPDATE encoding_jobs j
  SET state = 'queued', generation = generation + 1, attempt = 0, lease_token = NULL, lease_until = NULL,
    next_run_at = now(), dispatched_at = now(), progress = 0, segments_ready = 0, failure_reason = NULL,
    failure_retryable = NULL, failure_detail = NULL, started_at = NULL, finished_at = NULL
  FROM tracks o
  WHERE j.track_id = p_id AND o.id = p_id AND o.user_id = p_user AND j.state = 'failed' AND j.failure_retryable
  RETURNING generation INTO next_generation;
  IF FOUND THEN
    UPDATE tracks SET state = 'processing', updated_at = now() WHERE id = p_id RETURNING * INTO t;
    RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'generation', next_generation,
      'track', track_row_v1(t, p_user, 'playable'));
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_track_v1(p_user, p_id);
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome',
    CASE t.state WHEN 'failed' THEN 'not_retryable' ELSE 'not_failed' END);
END $$;
