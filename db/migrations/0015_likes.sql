CREATE TABLE "reposts" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	CONSTRAINT "reposts_user_id_track_id_pk" PRIMARY KEY("user_id","track_id")
);
--> statement-breakpoint
ALTER TABLE "reposts" ADD CONSTRAINT "reposts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reposts" ADD CONSTRAINT "reposts_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX reposts_track_id_idx ON reposts (track_id, id DESC) INCLUDE (user_id);
CREATE INDEX reposts_user_id_idx ON reposts (user_id, id DESC) INCLUDE (track_id);

-- Counters of likes are kept by triggers, so that they hold for every way by which a like comes and goes. A like holds its
-- track by the key until it is committed, and whoever changes who may see the track takes it whole: of the two one waits,
-- and knows what the other did.
CREATE FUNCTION count_favorite() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  favorite favorites := CASE TG_OP WHEN 'INSERT' THEN new ELSE old END;
  counted integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  PERFORM FROM tracks WHERE id = favorite.track_id FOR KEY SHARE;
  -- Of a track that is just being deleted nothing is counted here: `count_favorites_of_track` did.
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'favoritings_count', counted FROM tracks t WHERE t.id = favorite.track_id
  UNION ALL
  SELECT 'user', favorite.user_id, 'public_favorites_count', counted FROM tracks t JOIN users o ON o.id = t.user_id
  WHERE t.id = favorite.track_id AND t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER favorites_are_counted AFTER INSERT OR DELETE ON favorites FOR EACH ROW EXECUTE FUNCTION count_favorite();

-- A track joins the public favorites of all who like it, or leaves them.
CREATE FUNCTION count_favorites_of_v1(p_track bigint, p_counted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tracks WHERE id = p_track FOR UPDATE;
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', f.user_id, 'public_favorites_count', p_counted FROM favorites f WHERE f.track_id = p_track;
END $$;

CREATE FUNCTION count_favorites_of_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users o WHERE o.id = old.user_id AND o.disabled_at IS NULL) THEN
    PERFORM count_favorites_of_v1(old.id, CASE WHEN old.sharing = 'public' AND old.state <> 'failed' THEN -1 ELSE 1 END);
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN old ELSE new END;
END $$;

CREATE TRIGGER favorites_of_changed_track_are_counted BEFORE UPDATE OF sharing, state ON tracks FOR EACH ROW
WHEN ((old.sharing = 'public' AND old.state <> 'failed') <> (new.sharing = 'public' AND new.state <> 'failed'))
EXECUTE FUNCTION count_favorites_of_track();

CREATE TRIGGER favorites_of_deleted_track_are_counted BEFORE DELETE ON tracks FOR EACH ROW
WHEN (old.sharing = 'public' AND old.state <> 'failed') EXECUTE FUNCTION count_favorites_of_track();

CREATE FUNCTION count_favorites_of_left_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_favorites_of_v1(t.id, CASE WHEN new.disabled_at IS NULL THEN 1 ELSE -1 END)
  FROM tracks t WHERE t.user_id = new.id AND t.sharing = 'public' AND t.state <> 'failed';
  RETURN NULL;
END $$;

CREATE TRIGGER favorites_of_left_user_are_counted AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION count_favorites_of_left_user();

-- A mark is what a user sets on a track and takes away again: `p_marks` is the table, `favorites` or `reposts`. The track is
-- held first: a deletion, which holds it and then goes for its marks, would otherwise wait for this one and this one for it.
CREATE FUNCTION mark_track_v1(
  p_session bigint, p_client text, p_user bigint, p_marks text, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
  IF t.id IS NULL OR track_access_v1(t, p_user, p_secret_hash, p_country) = 'none' THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  EXECUTE format('INSERT INTO %I (user_id, track_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', p_marks) USING p_user, p_id;
  RETURN json_build_object('auth_ok', true, 'found', true);
END $$;

-- One's own mark can be taken away from what one sees no more.
CREATE FUNCTION unmark_track_v1(
  p_session bigint, p_client text, p_user bigint, p_marks text, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  taken integer;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
  EXECUTE format('DELETE FROM %I WHERE user_id = $1 AND track_id = $2', p_marks) USING p_user, p_id;
  GET DIAGNOSTICS taken = ROW_COUNT;
  RETURN json_build_object('auth_ok', true, 'found', taken > 0
    OR t.id IS NOT NULL AND track_access_v1(t, p_user, p_secret_hash, p_country) <> 'none');
END $$;

-- A track that `p_liker` likes, if the caller may see it.
CREATE FUNCTION find_favorite_v1(
  p_session bigint, p_client text, p_user bigint, p_liker bigint, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'track', (
    SELECT track_row_v1(t, p_user, a.access)
    FROM favorites f JOIN users u ON u.id = f.user_id AND u.disabled_at IS NULL JOIN tracks t ON t.id = f.track_id,
      LATERAL (SELECT track_access_v1(t, p_user, p_secret_hash, p_country) AS access OFFSET 0) a
    WHERE f.user_id = p_liker AND f.track_id = p_id AND a.access <> 'none'));
END $$;
