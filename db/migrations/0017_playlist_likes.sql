CREATE TABLE "playlist_likes" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"playlist_id" bigint NOT NULL,
	CONSTRAINT "playlist_likes_user_id_playlist_id_pk" PRIMARY KEY("user_id","playlist_id")
);
--> statement-breakpoint
CREATE TABLE "playlist_reposts" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"playlist_id" bigint NOT NULL,
	CONSTRAINT "playlist_reposts_user_id_playlist_id_pk" PRIMARY KEY("user_id","playlist_id")
);
--> statement-breakpoint
ALTER TABLE "counter_deltas" DROP CONSTRAINT "counter_deltas_counter";--> statement-breakpoint
ALTER TABLE "playlists" ADD COLUMN "reposts_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "reposts_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "playlist_likes" ADD CONSTRAINT "playlist_likes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_likes" ADD CONSTRAINT "playlist_likes_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_reposts" ADD CONSTRAINT "playlist_reposts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_reposts" ADD CONSTRAINT "playlist_reposts_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "counter_deltas" ADD CONSTRAINT "counter_deltas_counter" CHECK (("counter_deltas"."kind" = 'track' and "counter_deltas"."counter" in ('comment_count', 'download_count', 'playback_count', 'favoritings_count', 'reposts_count')) or ("counter_deltas"."kind" = 'playlist' and "counter_deltas"."counter" in ('likes_count', 'reposts_count')) or ("counter_deltas"."kind" = 'user' and "counter_deltas"."counter" in ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count')));
--> statement-breakpoint
CREATE INDEX playlist_likes_playlist_id_idx ON playlist_likes (playlist_id, id DESC) INCLUDE (user_id);
CREATE INDEX playlist_likes_user_id_idx ON playlist_likes (user_id, id DESC) INCLUDE (playlist_id);
CREATE INDEX playlist_reposts_playlist_id_idx ON playlist_reposts (playlist_id, id DESC) INCLUDE (user_id);
CREATE INDEX playlist_reposts_user_id_idx ON playlist_reposts (user_id, id DESC) INCLUDE (playlist_id);

UPDATE tracks t SET reposts_count = r.n
FROM (SELECT track_id, count(*) AS n FROM reposts GROUP BY track_id) r WHERE t.id = r.track_id;

-- Of what is just being deleted nothing is counted.
CREATE FUNCTION count_repost() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', t.id, 'reposts_count', CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
  FROM tracks t WHERE t.id = CASE TG_OP WHEN 'INSERT' THEN new.track_id ELSE old.track_id END;
  RETURN NULL;
END $$;
CREATE TRIGGER reposts_are_counted AFTER INSERT OR DELETE ON reposts FOR EACH ROW EXECUTE FUNCTION count_repost();

-- The counter is the trigger's argument.
CREATE FUNCTION count_playlist_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'playlist', p.id, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
  FROM playlists p WHERE p.id = CASE TG_OP WHEN 'INSERT' THEN new.playlist_id ELSE old.playlist_id END;
  RETURN NULL;
END $$;
CREATE TRIGGER playlist_likes_are_counted AFTER INSERT OR DELETE ON playlist_likes
FOR EACH ROW EXECUTE FUNCTION count_playlist_mark('likes_count');
CREATE TRIGGER playlist_reposts_are_counted AFTER INSERT OR DELETE ON playlist_reposts
FOR EACH ROW EXECUTE FUNCTION count_playlist_mark('reposts_count');

-- As `mark_track_v1`: `p_marks` is the table, and the playlist is held first.
CREATE FUNCTION mark_playlist_v1(
  p_session bigint, p_client text, p_user bigint, p_marks text, p_id bigint, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  p playlists;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO p FROM playlists WHERE id = p_id FOR KEY SHARE;
  IF p.id IS NULL OR NOT playlist_is_visible_v1(p, p_user, p_secret_hash) THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  EXECUTE format('INSERT INTO %I (user_id, playlist_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', p_marks) USING p_user, p_id;
  RETURN json_build_object('auth_ok', true, 'found', true);
END $$;

CREATE FUNCTION unmark_playlist_v1(
  p_session bigint, p_client text, p_user bigint, p_marks text, p_id bigint, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  p playlists;
  taken integer;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO p FROM playlists WHERE id = p_id FOR KEY SHARE;
  EXECUTE format('DELETE FROM %I WHERE user_id = $1 AND playlist_id = $2', p_marks) USING p_user, p_id;
  GET DIAGNOSTICS taken = ROW_COUNT;
  RETURN json_build_object('auth_ok', true, 'found', taken > 0
    OR p.id IS NOT NULL AND playlist_is_visible_v1(p, p_user, p_secret_hash));
END $$;

-- The table whose marks a list of playlists is of; null where it is of playlists themselves.
CREATE FUNCTION playlist_marks_v1(p_filter jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_filter ? 'liked_by' THEN 'playlist_likes' WHEN p_filter ? 'reposted_by' THEN 'playlist_reposts' END
$$;

-- Of what lists show this reader and the filter names, newest first: from `p_from` to before `p_to`. A place is the id of the
-- mark where the list is of marks, else of the playlist.
CREATE FUNCTION find_playlists_v1(
  p_user bigint, p_filter jsonb, p_words tsquery, p_from bigint, p_to bigint, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE AS $$
DECLARE
  marks text := playlist_marks_v1(p_filter);
BEGIN
  RETURN QUERY EXECUTE 'SELECT r.place, ts_rank(r.document, $3) FROM (SELECT r.place, r.document FROM ('
    || CASE WHEN marks IS NULL THEN 'SELECT s.id AS place, s.* FROM playlist_search s'
      ELSE format('SELECT m.id AS place, s.* FROM %I m JOIN playlist_search s ON s.id = m.playlist_id
        WHERE m.user_id = $7', marks) END
    || ') r WHERE r.place >= $1 AND r.place < $2 AND (r.public OR r.user_id = $4)'
    || CASE WHEN p_filter ? 'words' THEN ' AND r.document @@ $3' ELSE '' END
    || CASE WHEN p_filter ? 'owner' THEN ' AND r.user_id = $5' ELSE '' END
    || CASE WHEN p_filter ? 'ids' THEN ' AND r.id = ANY ($6)' ELSE '' END
    || ' ORDER BY r.place DESC LIMIT $8) r'
  USING p_from, coalesce(p_to, 9223372036854775807), p_words, p_user, (p_filter->>'owner')::bigint,
    ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint),
    coalesce(p_filter->>'liked_by', p_filter->>'reposted_by')::bigint, p_limit;
END $$;

-- `p_filter` holds `owner`, `ids`, `words`, `phrases`, and whose marks are listed, the last one first: `liked_by` or
-- `reposted_by`.
CREATE OR REPLACE FUNCTION list_playlists_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_show text, p_known jsonb,
  p_most integer
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  marker bigint := coalesce(p_filter->>'liked_by', p_filter->>'reposted_by')::bigint;
  named bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  words tsquery;
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := coalesce((p_page->>'offset')::integer, 0);
  wanted integer := page_limit + skipped + 1;
  after_id bigint := (p_page->>'id')::bigint;
  after_rank real := (p_page->>'rank')::real;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  found bigint[] := '{}';
  ranks real[] := '{}';
  ids bigint[];
  page jsonb;
  last integer;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  IF coalesce(owner, marker) IS NOT NULL
    AND NOT EXISTS (SELECT FROM users u WHERE u.id = coalesce(owner, marker) AND u.disabled_at IS NULL) THEN
    RETURN jsonb_build_object('auth_ok', true, 'owner_found', false);
  END IF;
  IF NOT p_filter ? 'words' AND marker IS NULL THEN
    found := newest_playlists_v1(p_user, owner, named, coalesce(after_id, 9223372036854775807), wanted);
  ELSIF NOT p_filter ? 'words' THEN
    found := ARRAY(SELECT f.place FROM find_playlists_v1(p_user, p_filter, NULL, 0, after_id, wanted) f);
  ELSE
    words := search_words_v1(p_filter);
    IF low IS NULL OR after_rank IS NOT NULL THEN
      SELECT coalesce(array_agg(f.place ORDER BY f.place DESC), '{}'), coalesce(array_agg(f.rank ORDER BY f.place DESC), '{}')
      INTO found, ranks
      FROM find_playlists_v1(p_user, p_filter, words, coalesce(low, 0), high + 1, ranked_at_most) f;
      IF low IS NULL THEN
        high := found[1];
        low := CASE WHEN cardinality(found) = ranked_at_most THEN found[ranked_at_most] ELSE 0 END;
      END IF;
      SELECT coalesce(array_agg(f.place ORDER BY f.rank DESC, f.place DESC), '{}'),
        coalesce(array_agg(f.rank ORDER BY f.rank DESC, f.place DESC), '{}')
      INTO found, ranks
      FROM unnest(found, ranks) AS f(place, rank) WHERE after_rank IS NULL OR (f.rank, f.place) < (after_rank, after_id);
      after_id := low;
    END IF;
    IF cardinality(found) < wanted AND low > 0 THEN
      found := found || ARRAY(SELECT f.place
        FROM find_playlists_v1(p_user, p_filter, words, 0, after_id, wanted - cardinality(found)) f);
    END IF;
  END IF;
  ids := found[skipped + 1 : wanted - 1];
  IF marker IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(m.playlist_id ORDER BY array_position($2, m.id)) FROM %I m
      WHERE m.user_id = $1 AND m.id = ANY ($2)', playlist_marks_v1(p_filter)) INTO ids USING marker, ids;
  END IF;
  page := playlist_page_v1(p_user, p_country, ids, NULL, p_show, p_known, p_most);
  last := skipped + (page->>'shown')::integer;
  RETURN page || jsonb_build_object('auth_ok', true, 'owner_found', true,
    'next', CASE WHEN cardinality(found) > last THEN jsonb_strip_nulls(jsonb_build_object(
      'id', found[last], 'rank', ranks[last], 'low', low, 'high', high)) END);
END $$;

CREATE OR REPLACE FUNCTION playlist_row_v1(p playlists, p_user bigint, p_secret_hash bytea, p_country text)
RETURNS TABLE ("row" jsonb, track_ids bigint[], opened bigint[]) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
      'id', p.id, 'user_id', p.user_id, 'created_at', id_created_at(p.id), 'updated_at', p.updated_at, 'title', p.title,
      'permalink', p.permalink, 'description', p.description, 'genre', p.genre, 'tag_list', p.tag_list,
      'playlist_type', p.playlist_type, 'license', p.license, 'label_id', p.label_id, 'label_name', p.label_name,
      'label', CASE WHEN p.label_id IS NOT NULL THEN mini_user_v1(p.label_id) END, 'release', p.release,
      'release_day', p.release_day, 'release_month', p.release_month, 'release_year', p.release_year, 'ean', p.ean,
      'purchase_url', p.purchase_url, 'purchase_title', p.purchase_title, 'artwork_version', p.artwork_version,
      'sharing', p.sharing, 'embeddable_by', p.embeddable_by, 'likes_count', p.likes_count + coalesce(d.likes, 0),
      'reposts_count', p.reposts_count + coalesce(d.reposts, 0),
      'secret_sealed', CASE WHEN p.user_id = p_user THEN encode(p.secret_sealed, 'base64') END,
      'user', mini_user_v1(p.user_id), 'track_count', e.track_count, 'duration_ms', e.duration_ms,
      'streamable', e.streamable, 'downloadable', e.downloadable),
    e.track_ids, e.opened
  FROM (
    SELECT count(*) AS track_count, coalesce(sum((e.t).duration_ms), 0) AS duration_ms,
      CASE WHEN bool_and(s.streamable) = bool_or(s.streamable) THEN bool_and(s.streamable) END AS streamable,
      CASE WHEN bool_and((e.t).downloadable) = bool_or((e.t).downloadable) THEN bool_and((e.t).downloadable) END AS downloadable,
      coalesce(array_agg((e.t).id ORDER BY e.position), '{}') AS track_ids,
      coalesce(array_agg((e.t).id) FILTER (WHERE (e.t).sharing = 'private'), '{}') AS opened
    FROM playlist_entries_v1(p, p_user, p_secret_hash, p_country) e,
      LATERAL (SELECT CASE WHEN (e.t).user_id = p_user THEN (e.t).streamable ELSE e.access <> 'blocked' END AS streamable) s) e,
    (SELECT sum(d.delta) FILTER (WHERE d.counter = 'likes_count') AS likes,
      sum(d.delta) FILTER (WHERE d.counter = 'reposts_count') AS reposts
    FROM counter_deltas d WHERE d.subject_id = p.id AND d.kind = 'playlist') d
$$;

CREATE OR REPLACE FUNCTION list_users_v1(
  p_session bigint, p_client text, p_user bigint, p_filter jsonb, p_page jsonb, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  owner bigint := (p_filter->>'owner')::bigint;
  track bigint := (p_filter->>'track')::bigint;
  playlist bigint := (p_filter->>'playlist')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words_v1(p_filter) END;
  few bigint[];
  page_limit integer := (p_page->>'limit')::integer;
  places bigint[] := '{}';
  found bigint[] := '{}';
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF owner IS NOT NULL AND NOT user_exists_v1(owner) OR track IS NOT NULL AND NOT EXISTS (
      SELECT FROM tracks t WHERE t.id = track AND track_access_v1(t, p_user, p_secret_hash, NULL) <> 'none')
    OR playlist IS NOT NULL AND NOT EXISTS (
      SELECT FROM playlists p WHERE p.id = playlist AND playlist_is_visible_v1(p, p_user, p_secret_hash)) THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  -- Punctuation alone is no word, and is found nowhere.
  IF words IS NOT NULL OR NOT p_filter ? 'words' THEN
    -- One follows few enough to look at them all.
    IF words IS NOT NULL AND p_filter->>'relation' IS DISTINCT FROM 'followings' THEN
      few := find_few_users_v1(words);
    END IF;
    EXECUTE 'SELECT coalesce(array_agg(place), ''{}''), coalesce(array_agg(id), ''{}'') FROM (' || CASE p_filter->>'relation'
        WHEN 'followings' THEN 'SELECT f.id AS place, u.id FROM followings f JOIN users u ON u.id = f.followee_id
          WHERE f.user_id = $1 AND f.id < $2'
        WHEN 'followers' THEN 'SELECT f.id AS place, u.id FROM followings f JOIN users u ON u.id = f.user_id
          WHERE f.followee_id = $1 AND f.id < $2'
        WHEN 'favoriters' THEN 'SELECT f.id AS place, u.id FROM favorites f JOIN users u ON u.id = f.user_id
          WHERE f.track_id = $1 AND f.id < $2'
        WHEN 'reposters' THEN 'SELECT f.id AS place, u.id FROM reposts f JOIN users u ON u.id = f.user_id
          WHERE f.track_id = $1 AND f.id < $2'
        WHEN 'playlist_favoriters' THEN 'SELECT f.id AS place, u.id FROM playlist_likes f JOIN users u ON u.id = f.user_id
          WHERE f.playlist_id = $1 AND f.id < $2'
        WHEN 'playlist_reposters' THEN 'SELECT f.id AS place, u.id FROM playlist_reposts f JOIN users u ON u.id = f.user_id
          WHERE f.playlist_id = $1 AND f.id < $2'
        ELSE 'SELECT u.id AS place, u.id FROM users u WHERE u.id < $2' END
      || ' AND u.disabled_at IS NULL'
      || CASE WHEN ids IS NOT NULL THEN ' AND u.id = ANY ($3)' ELSE '' END
      || CASE WHEN few IS NOT NULL THEN ' AND u.id = ANY ($7)' WHEN words IS NOT NULL THEN ' AND u.document @@ $4' ELSE '' END
      || ' ORDER BY place DESC LIMIT $5 OFFSET $6) page'
    INTO places, found
    USING coalesce(owner, track, playlist), coalesce((p_page->>'before')::bigint, 9223372036854775807), ids, words,
      page_limit + 1, coalesce((p_page->>'offset')::bigint, 0), few;
  END IF;
  RETURN json_build_object('auth_ok', true, 'found', true, 'users', user_rows_v1(p_user, found[1 : page_limit]),
    'next', CASE WHEN cardinality(found) > page_limit THEN places[page_limit] END);
END $$;

-- As before, and playlists.
CREATE OR REPLACE FUNCTION roll_up_counters_v1(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH batch AS MATERIALIZED (
    SELECT id, kind, subject_id FROM counter_deltas ORDER BY id LIMIT p_limit
  ), held_tracks AS MATERIALIZED (
    SELECT t.id FROM tracks t WHERE t.id IN (SELECT subject_id FROM batch WHERE kind = 'track')
    FOR NO KEY UPDATE SKIP LOCKED
  ), held_playlists AS MATERIALIZED (
    SELECT p.id FROM playlists p WHERE p.id IN (SELECT subject_id FROM batch WHERE kind = 'playlist')
    FOR NO KEY UPDATE SKIP LOCKED
  ), held_users AS MATERIALIZED (
    SELECT u.id FROM users u WHERE u.id IN (SELECT subject_id FROM batch WHERE kind = 'user')
    FOR NO KEY UPDATE SKIP LOCKED
  ), taken AS (
    DELETE FROM counter_deltas d USING batch b
    WHERE d.id = b.id AND CASE b.kind
      WHEN 'track' THEN b.subject_id IN (SELECT id FROM held_tracks)
        OR NOT EXISTS (SELECT FROM tracks t WHERE t.id = b.subject_id)
      WHEN 'playlist' THEN b.subject_id IN (SELECT id FROM held_playlists)
        OR NOT EXISTS (SELECT FROM playlists p WHERE p.id = b.subject_id)
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
      favoritings_count = t.favoritings_count + coalesce((counts->>'favoritings_count')::bigint, 0),
      reposts_count = t.reposts_count + coalesce((counts->>'reposts_count')::bigint, 0)
    FROM owed WHERE kind = 'track' AND t.id = subject_id
  ), counted_playlists AS (
    UPDATE playlists p SET
      likes_count = p.likes_count + coalesce((counts->>'likes_count')::bigint, 0),
      reposts_count = p.reposts_count + coalesce((counts->>'reposts_count')::bigint, 0)
    FROM owed WHERE kind = 'playlist' AND p.id = subject_id
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

CREATE OR REPLACE FUNCTION track_row_v1(t tracks, p_viewer bigint, p_access text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT t.id, t.user_id, id_created_at(t.id) AS created_at, t.updated_at, t.title, t.permalink, t.artist,
      t.description, t.genre, t.tag_list, t.track_type, t.license, t.label_id, t.label_name, t.release, t.release_day,
      t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature, t.purchase_url, t.purchase_title, t.video_url,
      t.artwork_version, t.sharing, t.embeddable_by, t.streamable, t.downloadable, t.commentable,
      t.available_country_codes, t.state, t.original_format, t.original_content_size, t.duration_ms, t.media_prefix,
      t.comment_count + coalesce(d.comments, 0) AS comment_count,
      t.download_count + coalesce(d.downloads, 0) AS download_count,
      t.playback_count + coalesce(d.plays, 0) AS playback_count,
      t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings_count,
      t.reposts_count + coalesce(d.reposts, 0) AS reposts_count,
      p_access AS access, t.user_id = p_viewer AS owned,
      CASE WHEN p_viewer IS NOT NULL THEN
        EXISTS (SELECT FROM favorites f WHERE f.user_id = p_viewer AND f.track_id = t.id) END AS user_favorite,
      CASE WHEN t.user_id = p_viewer THEN t.paywall END AS paywall,
      encode(t.secret_hash, 'hex') AS secret_hash,
      CASE WHEN t.user_id = p_viewer THEN encode(t.secret_sealed, 'base64') END AS secret_sealed,
      mini_user_v1(t.user_id) AS user,
      CASE WHEN t.label_id IS NOT NULL THEN mini_user_v1(t.label_id) END AS label,
      (SELECT to_json(a) FROM (SELECT a.id, a.name, a.permalink, a.external_url FROM apps a
        WHERE a.id = t.app_id AND NOT a.first_party) a) AS created_with,
      CASE WHEN t.user_id = p_viewer THEN (SELECT to_json(j) FROM (
        SELECT j.progress, j.failure_reason, j.failure_retryable, j.attempt, j.started_at, j.finished_at
        FROM encoding_jobs j WHERE j.track_id = t.id) j) END AS encoding
    FROM (SELECT sum(d.delta) FILTER (WHERE d.counter = 'comment_count') AS comments,
        sum(d.delta) FILTER (WHERE d.counter = 'download_count') AS downloads,
        sum(d.delta) FILTER (WHERE d.counter = 'playback_count') AS plays,
        sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count') AS favoritings,
        sum(d.delta) FILTER (WHERE d.counter = 'reposts_count') AS reposts
      FROM counter_deltas d WHERE d.subject_id = t.id AND d.kind = 'track') d) r
$$;

CREATE OR REPLACE FUNCTION track_page_v1(
  p_user bigint, p_country text, p_ids bigint[], p_known jsonb, p_opened bigint[] DEFAULT '{}'
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  favored bigint[] := CASE WHEN p_user IS NOT NULL THEN
    ARRAY(SELECT track_id FROM favorites WHERE user_id = p_user AND track_id = ANY (p_ids)) END;
BEGIN
  RETURN (
    SELECT json_build_object('ids', array_agg(r.id), 'versions', array_agg(r.version), 'access', array_agg(r.access),
      'comments', array_agg(r.comments), 'downloads', array_agg(r.downloads), 'plays', array_agg(r.plays),
      'favoritings', array_agg(r.favoritings), 'reposts', array_agg(r.reposts),
      'bodies', array_agg(r.body), 'own', array_agg(r.own), 'favored', favored)
    FROM (
      SELECT t.id, v.version, v.access, t.comment_count + coalesce(d.comments, 0) AS comments,
        t.download_count + coalesce(d.downloads, 0) AS downloads, t.playback_count + coalesce(d.plays, 0) AS plays,
        t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings, t.reposts_count + coalesce(d.reposts, 0) AS reposts,
        CASE WHEN t.user_id = p_user OR t.sharing = 'private' THEN track_row_v1(t, p_user, v.access) END AS own,
        CASE WHEN p_known->>t.id::text IS DISTINCT FROM v.version AND t.user_id IS DISTINCT FROM p_user
            AND t.sharing = 'public' THEN (
          SELECT to_json(b) FROM (
            SELECT t.id, t.user_id, id_created_at(t.id) AS created_at, t.updated_at, t.title, t.permalink, t.artist,
              t.description, t.genre, t.tag_list, t.track_type, t.license, t.label_id, t.label_name, t.release,
              t.release_day, t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature, t.purchase_url,
              t.purchase_title, t.video_url, t.artwork_version, t.sharing, t.embeddable_by, t.streamable, t.downloadable,
              t.commentable, t.available_country_codes, t.state, t.original_format, t.original_content_size,
              t.duration_ms, t.media_prefix, mini_user_of_v1(o) AS user,
              CASE WHEN l.id IS NOT NULL THEN mini_user_of_v1(l) END AS label,
              CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name, 'permalink', a.permalink,
                'external_url', a.external_url) END AS created_with) b) END AS body
      FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
      JOIN tracks t ON t.id = p.id
      JOIN users o ON o.id = t.user_id
      LEFT JOIN users l ON l.id = t.label_id
      LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party
      LEFT JOIN (
        SELECT subject_id, sum(delta) FILTER (WHERE counter = 'comment_count') AS comments,
          sum(delta) FILTER (WHERE counter = 'download_count') AS downloads,
          sum(delta) FILTER (WHERE counter = 'playback_count') AS plays,
          sum(delta) FILTER (WHERE counter = 'favoritings_count') AS favoritings,
          sum(delta) FILTER (WHERE counter = 'reposts_count') AS reposts
        FROM counter_deltas WHERE subject_id = ANY (p_ids) AND kind = 'track' GROUP BY subject_id) d ON d.subject_id = t.id,
      LATERAL (SELECT concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin) AS version,
        track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user,
          t.sharing = 'private' AND t.id <> ALL (p_opened), t.streamable,
          t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
          t.paywall, paying) AS access OFFSET 0) v
      WHERE v.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
      ORDER BY p.place) r);
END $$;

-- As `find_tracks_v1`, of what `reposted_by` reposted: a place is the repost's id. What everybody finds, then the reader's own
-- that only they do, each up to `p_limit`.
CREATE FUNCTION find_reposted_tracks_v1(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  sharing text := p_filter->>'sharing';
  query tsquery := both_v1(p_words, p_labels);
  statement text := 'SELECT r.place, ts_rank(r.document, $1) FROM (
      SELECT r.id AS place, s.document FROM reposts r JOIN %I s ON s.id = r.track_id
      WHERE %s AND r.user_id = $3 AND r.id >= $4 AND r.id < $5'
    || CASE WHEN query IS NOT NULL THEN ' AND s.document @@ $6' ELSE '' END
    || CASE WHEN p_filter ? 'ids' THEN ' AND s.id = ANY ($7)' ELSE '' END
    || CASE WHEN p_filter ? 'id_from' THEN ' AND s.id >= $8' ELSE '' END
    || CASE WHEN p_filter ? 'id_to' THEN ' AND s.id < $9' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_from' THEN ' AND s.bpm >= $10' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_to' THEN ' AND s.bpm <= $11' ELSE '' END
    || CASE WHEN p_filter ? 'duration_from' THEN ' AND s.duration_ms >= $12' ELSE '' END
    || CASE WHEN p_filter ? 'duration_to' THEN ' AND s.duration_ms <= $13' ELSE '' END
    || CASE WHEN p_filter ? 'access' THEN '
        AND $14 ? (SELECT track_access_v1(t, $2, NULL, $15) FROM tracks t WHERE t.id = s.id)' ELSE '' END
    || ' ORDER BY r.id ' || CASE WHEN p_ascending THEN 'ASC' ELSE 'DESC' END || ' LIMIT $16) r';
  source record;
BEGIN
  FOR source IN
    SELECT 'track_search' AS name, 'true' AS condition WHERE sharing IS DISTINCT FROM 'private'
    UNION ALL
    SELECT 'track_search_unlisted', 's.user_id = $2'
      || CASE sharing WHEN 'public' THEN ' AND s.public' WHEN 'private' THEN ' AND NOT s.public' ELSE '' END
    WHERE p_user IS NOT NULL
  LOOP
    RETURN QUERY EXECUTE format(statement, source.name, source.condition) USING p_words, p_user,
      (p_filter->>'reposted_by')::bigint, p_from, p_to, query,
      ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint), (p_filter->>'id_from')::bigint,
      (p_filter->>'id_to')::bigint, (p_filter->>'bpm_from')::real, (p_filter->>'bpm_to')::real,
      (p_filter->>'duration_from')::bigint, (p_filter->>'duration_to')::bigint, p_filter->'access', p_country, p_limit;
  END LOOP;
END $$;

CREATE FUNCTION find_listed_tracks_v1(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_filter ? 'reposted_by' THEN
    RETURN QUERY SELECT * FROM find_reposted_tracks_v1(p_user, p_country, p_filter, p_words, p_labels, p_from, p_to,
      p_ascending, p_limit);
  ELSE
    RETURN QUERY SELECT * FROM find_tracks_v1(p_user, p_country, p_filter, p_words, p_labels, p_from, p_to, p_ascending,
      p_limit);
  END IF;
END $$;

-- `favored_by` or `reposted_by` is whose marks are listed: a place is then the mark's id.
CREATE OR REPLACE FUNCTION list_tracks_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- How many of the newest matches are ranked, so that the cost of a common word stays bounded.
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  marker bigint := coalesce(p_filter->>'favored_by', p_filter->>'reposted_by')::bigint;
  words tsquery;
  labels tsquery;
  paying boolean;
  ascending boolean := coalesce((p_page->>'ascending')::boolean, false);
  ranked boolean := coalesce((p_page->>'ranked')::boolean, false);
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := coalesce((p_page->>'offset')::integer, 0);
  wanted integer := page_limit + skipped + 1;
  after_id bigint := (p_page->>'id')::bigint;
  after_rank real := (p_page->>'rank')::real;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  -- Of places: in a list of marks it is `find_listed_tracks_v1` that looks at the ids of tracks.
  from_id bigint := CASE WHEN marker IS NULL THEN coalesce((p_filter->>'id_from')::bigint, 0) ELSE 0 END;
  to_id bigint := coalesce(CASE WHEN marker IS NULL THEN (p_filter->>'id_to')::bigint END, 9223372036854775807);
  found bigint[] := '{}';
  page bigint[];
  ranks real[] := '{}';
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF coalesce(owner, marker) IS NOT NULL
    AND NOT EXISTS (SELECT FROM users u WHERE u.id = coalesce(owner, marker) AND u.disabled_at IS NULL) THEN
    RETURN json_build_object('auth_ok', true, 'owner_found', false);
  END IF;
  -- Ids that all fit on a page, and nothing else asked of them: the page is the search.
  IF p_filter - 'ids' = '{}' AND jsonb_array_length(p_filter->'ids') <= page_limit AND after_id IS NULL AND skipped = 0 THEN
    SELECT array_agg(id::bigint ORDER BY CASE WHEN ascending THEN id::bigint ELSE -id::bigint END) INTO found
    FROM jsonb_array_elements_text(p_filter->'ids') id;
    RETURN json_build_object('auth_ok', true, 'owner_found', true,
      'tracks', track_page_v1(p_user, p_country, found, p_known));
  END IF;
  IF p_filter ? 'words' THEN
    words := search_words_v1(p_filter);
    -- Punctuation alone is no word, and is found nowhere.
    IF words IS NULL THEN
      RETURN json_build_object('auth_ok', true, 'owner_found', true, 'tracks', track_page_v1(p_user, p_country, '{}', p_known));
    END IF;
  END IF;
  IF p_filter ?| ARRAY['genres', 'tags', 'licenses', 'types', 'access'] THEN
    paying := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
    labels := both_v1(both_v1(both_v1(search_any_label_v1('genre', p_filter->'genres'),
      search_any_label_v1('tag', p_filter->'tags')), both_v1(search_any_label_v1('license', p_filter->'licenses'),
      search_any_label_v1('type', p_filter->'types'))), search_access_v1(p_filter->'access', p_country, paying));
  END IF;

  IF ranked AND (low IS NULL OR after_rank IS NOT NULL) THEN
    SELECT coalesce(array_agg(f.place ORDER BY f.place DESC), '{}'), coalesce(array_agg(f.rank ORDER BY f.place DESC), '{}')
    INTO found, ranks
    FROM (SELECT f.place, f.rank FROM find_listed_tracks_v1(p_user, p_country, p_filter, words, labels,
        coalesce(low, from_id), coalesce(high + 1, to_id), false, ranked_at_most) f
      ORDER BY f.place DESC LIMIT ranked_at_most) f;
    IF low IS NULL THEN
      high := found[1];
      low := CASE WHEN cardinality(found) = ranked_at_most THEN found[ranked_at_most] ELSE from_id END;
    END IF;
    SELECT coalesce(array_agg(f.place ORDER BY f.rank DESC, f.place DESC), '{}'),
      coalesce(array_agg(f.rank ORDER BY f.rank DESC, f.place DESC), '{}')
    INTO found, ranks
    FROM unnest(found, ranks) AS f(place, rank)
    WHERE after_rank IS NULL OR (f.rank, f.place) < (after_rank, after_id);
    after_id := low;
  END IF;
  -- Newest first, or what is below all that is ranked.
  IF cardinality(found) < wanted AND NOT (ranked AND low = from_id) THEN
    IF ascending THEN
      from_id := greatest(from_id, after_id + 1);
    ELSE
      to_id := least(to_id, after_id);
    END IF;
    SELECT found || coalesce(array_agg(f.place ORDER BY CASE WHEN ascending THEN f.place ELSE -f.place END), '{}') INTO found
    FROM (SELECT f.place FROM find_listed_tracks_v1(p_user, p_country, p_filter, NULL, both_v1(words, labels), from_id,
        to_id, ascending, wanted - cardinality(found)) f
      ORDER BY CASE WHEN ascending THEN f.place ELSE -f.place END LIMIT wanted - cardinality(found)) f;
  END IF;

  page := found[skipped + 1 : wanted - 1];
  IF marker IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(f.track_id ORDER BY array_position($2, f.id)) FROM %I f
      WHERE f.user_id = $1 AND f.id = ANY ($2)', CASE WHEN p_filter ? 'reposted_by' THEN 'reposts' ELSE 'favorites' END)
    INTO page USING marker, page;
  END IF;
  RETURN json_build_object('auth_ok', true, 'owner_found', true, 'tracks', track_page_v1(p_user, p_country, page, p_known),
    'next', CASE WHEN cardinality(found) >= wanted THEN json_strip_nulls(json_build_object(
      'id', found[wanted - 1], 'rank', ranks[wanted - 1], 'low', low, 'high', high)) END);
END $$;

CREATE OR REPLACE FUNCTION export_account_v1(p_session text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('account', json_build_object('email', a.email, 'confirmed_at', a.confirmed_at,
      'created_at', a.created_at),
    'profile', json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'plan', u.plan,
      'full_name', u.full_name, 'city', u.city, 'country', u.country, 'description', u.description,
      'website', u.website, 'website_title', u.website_title, 'discogs_name', u.discogs_name,
      'myspace_name', u.myspace_name, 'avatar_version', u.avatar_version, 'updated_at', u.updated_at),
    'tracks', (SELECT coalesce(json_agg(to_jsonb(t) - ARRAY['secret_hash', 'secret_sealed', 'original_key', 'media_prefix',
      'media', 'published_id'] ORDER BY t.id), '[]') FROM tracks t WHERE t.user_id = u.id),
    'playlists', (SELECT coalesce(json_agg(to_jsonb(p) - ARRAY['secret_hash', 'secret_sealed', 'published_id',
      'sanitizer_version'] || jsonb_build_object('track_ids', ARRAY(SELECT e.track_id FROM playlist_tracks e
        WHERE e.playlist_id = p.id ORDER BY e.position)) ORDER BY p.id), '[]') FROM playlists p WHERE p.user_id = u.id),
    'favorites', (SELECT coalesce(json_agg(json_build_object('track_id', m.track_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM favorites m WHERE m.user_id = u.id),
    'reposts', (SELECT coalesce(json_agg(json_build_object('track_id', m.track_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM reposts m WHERE m.user_id = u.id),
    'playlist_likes', (SELECT coalesce(json_agg(json_build_object('playlist_id', m.playlist_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM playlist_likes m WHERE m.user_id = u.id),
    'playlist_reposts', (SELECT coalesce(json_agg(json_build_object('playlist_id', m.playlist_id, 'since', id_created_at(m.id))
      ORDER BY m.id), '[]') FROM playlist_reposts m WHERE m.user_id = u.id),
    'shares', (SELECT coalesce(json_agg(json_build_object('track_id', s.track_id, 'user_id', s.user_id, 'note', s.note,
        'since', id_created_at(s.id)) ORDER BY s.id), '[]')
      FROM track_shares s JOIN tracks t ON t.id = s.track_id WHERE t.user_id = u.id),
    'shared_with_you', (SELECT coalesce(json_agg(json_build_object('track_id', s.track_id, 'note', s.note,
        'since', id_created_at(s.id)) ORDER BY s.id), '[]') FROM track_shares s WHERE s.user_id = u.id),
    'comments', (SELECT coalesce(json_agg(to_jsonb(c) - ARRAY['user_id', 'sanitizer_version'] ORDER BY c.id), '[]')
      FROM comments c WHERE c.user_id = u.id),
    'followings', (SELECT coalesce(json_agg(json_build_object('user_id', f.followee_id, 'since', id_created_at(f.id))
      ORDER BY f.id), '[]') FROM followings f WHERE f.user_id = u.id),
    'web_profiles', (SELECT coalesce(json_agg(to_jsonb(w) - ARRAY['user_id', 'place'] ORDER BY w.place), '[]')
      FROM web_profiles w WHERE w.user_id = u.id),
    'apps', (SELECT coalesce(json_agg(to_jsonb(p) - ARRAY['secret_hash', 'previous_secret_hash'] ORDER BY p.id), '[]')
      FROM apps p WHERE p.owner_id = u.id),
    'connected_apps', connected_apps_v1(u.id),
    'api_sessions', (SELECT coalesce(json_agg(json_build_object('app', p.name, 'scope', s.scope, 'created_at', s.created_at,
        'last_used_at', s.last_used_at, 'expires_at', s.expires_at, 'revoked_at', s.revoked_at) ORDER BY s.id), '[]')
      FROM sessions s JOIN apps p ON p.id = s.app_id WHERE s.user_id = u.id),
    'site_sessions', (SELECT coalesce(json_agg(json_build_object('created_at', s.created_at, 'expires_at', s.expires_at,
        'revoked_at', s.revoked_at) ORDER BY s.created_at), '[]') FROM site_sessions s WHERE s.user_id = u.id))
  FROM accounts a JOIN users u ON u.id = a.user_id WHERE a.user_id = (site_user_v1(p_session)->>'id')::bigint
$$;
