CREATE TABLE "comments" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"track_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"body" text NOT NULL,
	"sanitizer_version" smallint NOT NULL,
	"timestamp_ms" bigint,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "comments_timestamp_ms" CHECK ("comments"."timestamp_ms" between 0 and 9007199254740991)
);
--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "comments_track_id_idx" ON "comments" USING btree ("track_id","id");--> statement-breakpoint
CREATE INDEX "comments_user_id_idx" ON "comments" USING btree ("user_id","id");
--> statement-breakpoint

-- The count follows the rows, whoever adds or drops them. To a track that goes with its comments nothing is owed.
CREATE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'comment_count', CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed c JOIN tracks t ON t.id = c.track_id GROUP BY t.id;
  RETURN NULL;
END $$;

CREATE TRIGGER comments_are_counted AFTER INSERT ON comments
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_comments();
CREATE TRIGGER deleted_comments_are_counted AFTER DELETE ON comments
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_comments();

-- Comments as their representation needs them, newest first, for a caller of whom it was found before that they are seen.
CREATE FUNCTION comment_rows_v1(p_ids bigint[]) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.id DESC), '[]') FROM (
    SELECT c.id, c.track_id, c.user_id, id_created_at(c.id) AS created_at, c.updated_at, c.body, c.timestamp_ms,
      json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
        'updated_at', u.updated_at, 'followers_count', u.followers_count + coalesce(d.followers, 0),
        'followings_count', u.followings_count + coalesce(d.followings, 0)) AS user
    FROM comments c
    JOIN users u ON u.id = c.user_id
    LEFT JOIN (
      SELECT subject_id, sum(delta) FILTER (WHERE counter = 'followers_count') AS followers,
        sum(delta) FILTER (WHERE counter = 'followings_count') AS followings
      FROM counter_deltas
      WHERE kind = 'user' AND subject_id IN (SELECT user_id FROM comments WHERE id = ANY (p_ids))
      GROUP BY subject_id) d ON d.subject_id = u.id
    WHERE c.id = ANY (p_ids)) r
$$;

-- Whoever sees the track sees what is said of it, unless by somebody who left.
CREATE FUNCTION sees_comment_v1(c comments, p_viewer bigint, p_secret_hash bytea) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = c.user_id AND u.disabled_at IS NULL)
    AND EXISTS (SELECT FROM tracks t WHERE t.id = c.track_id AND track_access_v1(t, p_viewer, p_secret_hash, NULL) <> 'none')
$$;

-- `p_track` is the one that the comment has to be of, or null.
CREATE FUNCTION find_comment_v1(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_id bigint, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'comment', (
    SELECT comment_rows_v1(ARRAY[c.id])->0 FROM comments c
    WHERE c.id = p_id AND c.track_id = coalesce(p_track, c.track_id) AND sees_comment_v1(c, p_user, p_secret_hash)));
END $$;

CREATE FUNCTION list_track_comments_v1(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_secret_hash bytea, p_before bigint, p_offset integer,
  p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  PERFORM FROM tracks t WHERE t.id = p_track AND track_access_v1(t, p_user, p_secret_hash, NULL) <> 'none';
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'found', true, 'comments', comment_rows_v1(ARRAY(
    SELECT c.id FROM comments c
    WHERE c.track_id = p_track AND c.id < p_before
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = c.user_id AND u.disabled_at IS NOT NULL)
    ORDER BY c.id DESC OFFSET p_offset LIMIT p_limit)));
END $$;

CREATE FUNCTION list_user_comments_v1(
  p_session bigint, p_client text, p_user bigint, p_author bigint, p_before bigint, p_offset integer, p_limit integer
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  PERFORM FROM users u WHERE u.id = p_author AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'found', true, 'comments', comment_rows_v1(ARRAY(
    SELECT c.id FROM comments c JOIN tracks t ON t.id = c.track_id
    WHERE c.user_id = p_author AND c.id < p_before AND track_access_v1(t, p_user, NULL, NULL) <> 'none'
    ORDER BY c.id DESC OFFSET p_offset LIMIT p_limit)));
END $$;

-- Waits for a deletion of the track that came first, and then finds none. The advisory lock makes the limit exact: of parallel
-- requests of one user, each sees what the one before it wrote. `p_per_minute` is null where there is none.
CREATE FUNCTION create_comment_v1(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_secret_hash bytea, p_comment jsonb, p_per_minute integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  wait integer;
  made bigint;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_track FOR KEY SHARE;
  IF NOT FOUND OR track_access_v1(t, p_user, p_secret_hash, NULL) = 'none' THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown_track');
  ELSIF NOT t.commentable THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_commentable');
  END IF;
  IF p_per_minute IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('comment'), hashint8(p_user));
    SELECT ceil(extract(epoch FROM id_created_at(c.id) + interval '1 minute' - clock_timestamp())) INTO wait
    FROM comments c WHERE c.user_id = p_user ORDER BY c.id DESC OFFSET p_per_minute - 1 LIMIT 1;
    IF wait > 0 THEN
      RETURN json_build_object('auth_ok', true, 'outcome', 'too_many', 'retry_after', wait);
    END IF;
  END IF;
  INSERT INTO comments (track_id, user_id, body, sanitizer_version, timestamp_ms)
  SELECT p_track, p_user, n.body, n.sanitizer_version, n.timestamp_ms FROM jsonb_populate_record(NULL::comments, p_comment) n
  RETURNING id INTO made;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'comment', comment_rows_v1(ARRAY[made])->0);
END $$;

-- Its author's alone. `p_changes` holds columns, `p_expected` when it may have been written last, or null.
CREATE FUNCTION update_comment_v1(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_id bigint, p_secret_hash bytea, p_changes jsonb,
  p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  stored comments;
  wanted comments;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO stored FROM comments c
  WHERE c.id = p_id AND c.track_id = p_track AND sees_comment_v1(c, p_user, p_secret_hash) FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  ELSIF stored.user_id <> p_user THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_yours');
  ELSIF stored.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'changed');
  END IF;
  wanted := jsonb_populate_record(stored, p_changes);
  IF wanted IS DISTINCT FROM stored THEN
    UPDATE comments SET body = wanted.body, sanitizer_version = wanted.sanitizer_version,
      timestamp_ms = wanted.timestamp_ms, updated_at = now()
    WHERE id = p_id;
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'comment', comment_rows_v1(ARRAY[p_id])->0);
END $$;

-- By its author, who may always take back what they said, or by the track's owner.
CREATE FUNCTION delete_comment_v1(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_id bigint, p_secret_hash bytea, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  left_alone text;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  DELETE FROM comments c USING tracks t
  WHERE c.id = p_id AND c.track_id = p_track AND t.id = p_track AND p_user IN (c.user_id, t.user_id)
    AND (p_expected IS NULL OR c.updated_at = ANY (p_expected));
  IF FOUND THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'done');
  END IF;
  SELECT CASE WHEN p_user IN (c.user_id, t.user_id) THEN 'changed' ELSE 'not_yours' END INTO left_alone
  FROM comments c JOIN tracks t ON t.id = c.track_id
  WHERE c.id = p_id AND c.track_id = p_track
    AND (p_user IN (c.user_id, t.user_id) OR sees_comment_v1(c, p_user, p_secret_hash));
  RETURN json_build_object('auth_ok', true, 'outcome', coalesce(left_alone, 'unknown'));
END $$;
