CREATE TABLE "playlist_tracks" (
	"playlist_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"track_id" bigint NOT NULL,
	CONSTRAINT "playlist_tracks_playlist_id_position_pk" PRIMARY KEY("playlist_id","position")
);
--> statement-breakpoint
CREATE TABLE "playlists" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"published_id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"permalink" text NOT NULL,
	"description" text,
	"sanitizer_version" smallint,
	"genre" text,
	"tag_list" text DEFAULT '' NOT NULL,
	"playlist_type" text,
	"license" text DEFAULT 'all-rights-reserved' NOT NULL,
	"label_id" bigint,
	"label_name" text,
	"release" text,
	"release_day" smallint,
	"release_month" smallint,
	"release_year" smallint,
	"ean" text,
	"purchase_url" text,
	"purchase_title" text,
	"artwork_version" text,
	"sharing" text DEFAULT 'public' NOT NULL,
	"embeddable_by" text DEFAULT 'all' NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"likes_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "playlists_sharing" CHECK ("playlists"."sharing" in ('public', 'private')),
	CONSTRAINT "playlists_embeddable_by" CHECK ("playlists"."embeddable_by" in ('all', 'me', 'none'))
);
--> statement-breakpoint
ALTER TABLE "playlist_tracks" ADD CONSTRAINT "playlist_tracks_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_tracks" ADD CONSTRAINT "playlist_tracks_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_label_id_users_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "playlist_tracks_track_id_key" ON "playlist_tracks" USING btree ("track_id","playlist_id");--> statement-breakpoint
CREATE UNIQUE INDEX "playlists_user_id_permalink_key" ON "playlists" USING btree ("user_id","permalink");--> statement-breakpoint
CREATE UNIQUE INDEX "playlists_secret_hash_key" ON "playlists" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "playlists_user_id_id_idx" ON "playlists" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "playlists_public_idx" ON "playlists" USING btree ("id") WHERE "playlists"."sharing" = 'public';--> statement-breakpoint
CREATE INDEX "playlists_user_id_public_idx" ON "playlists" USING btree ("user_id","id") WHERE "playlists"."sharing" = 'public';
--> statement-breakpoint
-- Function bodies name each other.
SET LOCAL check_function_bodies = off;

CREATE TRIGGER artwork_new AFTER INSERT ON playlists FOR EACH ROW
  WHEN (NEW.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed_v1('artwork_version');
CREATE TRIGGER artwork_changed AFTER UPDATE OF artwork_version ON playlists FOR EACH ROW
  WHEN (OLD.artwork_version IS DISTINCT FROM NEW.artwork_version) EXECUTE FUNCTION image_changed_v1('artwork_version');
CREATE TRIGGER artwork_gone AFTER DELETE ON playlists FOR EACH ROW
  WHEN (OLD.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed_v1('artwork_version');

-- Whatever makes, ends, opens or closes a playlist counts for its owner, in its own transaction.
CREATE FUNCTION playlist_counted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('user', OLD.user_id,
      CASE OLD.sharing WHEN 'public' THEN 'playlist_count' ELSE 'private_playlists_count' END, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('user', NEW.user_id,
      CASE NEW.sharing WHEN 'public' THEN 'playlist_count' ELSE 'private_playlists_count' END, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER playlist_counted AFTER INSERT OR DELETE ON playlists FOR EACH ROW EXECUTE FUNCTION playlist_counted_v1();
CREATE TRIGGER playlist_recounted AFTER UPDATE OF sharing ON playlists FOR EACH ROW
  WHEN (OLD.sharing IS DISTINCT FROM NEW.sharing) EXECUTE FUNCTION playlist_counted_v1();

-- Everybody's, its owner's, or of whoever has its secret. Every query that returns playlists uses it.
CREATE FUNCTION playlist_is_visible_v1(p playlists, p_viewer bigint, p_secret_hash bytea) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (p.sharing = 'public' OR p.user_id = p_viewer OR p.secret_hash = p_secret_hash) IS TRUE
    AND NOT EXISTS (SELECT FROM users o WHERE o.id = p.user_id AND o.disabled_at IS NOT NULL)
$$;

-- What of a playlist is for this reader, by the same rule as its tracks alone. Its secret opens its owner's private tracks.
CREATE FUNCTION playlist_entries_v1(p playlists, p_user bigint, p_secret_hash bytea, p_country text)
RETURNS TABLE ("position" integer, t tracks, access text) LANGUAGE sql STABLE AS $$
  SELECT e.position, t, a.access
  FROM playlist_tracks e JOIN tracks t ON t.id = e.track_id JOIN users o ON o.id = t.user_id,
    LATERAL (SELECT track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user,
      t.sharing = 'private' AND (t.user_id = p.user_id AND p.secret_hash = p_secret_hash) IS NOT TRUE
        AND NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_user),
      t.streamable,
      t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
      t.paywall,
      (SELECT EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free'))) AS access OFFSET 0) a
  WHERE e.playlist_id = p.id AND a.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
$$;

-- A playlist as its representation needs it, for a reader who may see it. `track_ids` are those that are for this reader, in
-- order, and of all that is told of its tracks only they count. `opened` are the private ones among them.
CREATE FUNCTION playlist_row_v1(p playlists, p_user bigint, p_secret_hash bytea, p_country text)
RETURNS TABLE ("row" jsonb, track_ids bigint[], opened bigint[]) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
      'id', p.id, 'user_id', p.user_id, 'created_at', id_created_at(p.id), 'updated_at', p.updated_at, 'title', p.title,
      'permalink', p.permalink, 'description', p.description, 'genre', p.genre, 'tag_list', p.tag_list,
      'playlist_type', p.playlist_type, 'license', p.license, 'label_id', p.label_id, 'label_name', p.label_name,
      'label', CASE WHEN p.label_id IS NOT NULL THEN mini_user_v1(p.label_id) END, 'release', p.release,
      'release_day', p.release_day, 'release_month', p.release_month, 'release_year', p.release_year, 'ean', p.ean,
      'purchase_url', p.purchase_url, 'purchase_title', p.purchase_title, 'artwork_version', p.artwork_version,
      'sharing', p.sharing, 'embeddable_by', p.embeddable_by, 'likes_count', p.likes_count + coalesce((
        SELECT sum(d.delta) FROM counter_deltas d
        WHERE d.subject_id = p.id AND d.kind = 'playlist' AND d.counter = 'likes_count'), 0),
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
      LATERAL (SELECT CASE WHEN (e.t).user_id = p_user THEN (e.t).streamable ELSE e.access <> 'blocked' END AS streamable) s) e
$$;

-- Playlists in the order of `p_ids`, each with its tracks' ids where `p_show` is `ids` or `tracks`; with `tracks`, also all of
-- those tracks, each once, as `track_page_v1` has them. The page ends before it would hold more than `p_most` tracks, but not
-- before its first playlist; `shown` is how many it holds.
CREATE FUNCTION playlist_page_v1(
  p_user bigint, p_country text, p_ids bigint[], p_secret_hash bytea, p_show text, p_known jsonb, p_most integer
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  playlists jsonb;
  held bigint[];
  opened bigint[];
  shown integer;
BEGIN
  WITH counted AS MATERIALIZED (
    SELECT n.place, r.row, r.track_ids, r.opened,
      sum(cardinality(r.track_ids)) OVER (ORDER BY n.place) AS sum_of_tracks
    FROM unnest(p_ids) WITH ORDINALITY AS n(id, place) JOIN playlists p ON p.id = n.id,
      LATERAL playlist_row_v1(p, p_user, p_secret_hash, p_country) r
    WHERE playlist_is_visible_v1(p, p_user, p_secret_hash)
  ), kept AS MATERIALIZED (
    SELECT * FROM counted
    WHERE p_show <> 'tracks' OR sum_of_tracks <= p_most OR place = (SELECT min(place) FROM counted)
  )
  SELECT coalesce(jsonb_agg(k.row || CASE WHEN p_show = 'none' THEN '{}' ELSE jsonb_build_object('track_ids', k.track_ids) END
      ORDER BY k.place), '[]'), count(*),
    (SELECT array_agg(h.id ORDER BY h.first) FROM (
      SELECT t.id, min((k.place, t.place)) AS first FROM kept k, unnest(k.track_ids) WITH ORDINALITY AS t(id, place)
      GROUP BY t.id) h),
    (SELECT array_agg(DISTINCT o) FROM kept k, unnest(k.opened) o)
  INTO playlists, shown, held, opened FROM kept k;
  RETURN jsonb_build_object('playlists', playlists, 'shown', shown, 'tracks', CASE WHEN p_show = 'tracks' THEN
    track_page_v1(p_user, p_country, coalesce(held, '{}'), p_known, coalesce(opened, '{}')) END);
END $$;

CREATE FUNCTION find_playlist_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_show text, p_known jsonb
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  RETURN playlist_page_v1(p_user, p_country, ARRAY[p_id], p_secret_hash, p_show, p_known, 0) || '{"auth_ok": true}';
END $$;

-- A playlist's tracks that fit the filter, in its order, or with `ascending` by age. `p_page` holds `limit`, `offset`, and `key`,
-- where the page before ended; `next` is the same of this page. There are few, so each is held against the filter itself.
CREATE FUNCTION list_playlist_tracks_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_filter jsonb,
  p_page jsonb, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  source playlists;
  page_limit integer := (p_page->>'limit')::integer;
  after_key bigint := coalesce((p_page->>'key')::bigint, -9223372036854775808);
  ascending boolean := (p_page->>'ascending')::boolean;
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words_v1(p_filter) END;
  query tsquery := both_v1(words, both_v1(both_v1(search_any_label_v1('genre', p_filter->'genres'),
    search_any_label_v1('tag', p_filter->'tags')), both_v1(search_any_label_v1('license', p_filter->'licenses'),
    search_any_label_v1('type', p_filter->'types'))));
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  accesses text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  listed bigint[];
  keys bigint[];
  opened bigint[];
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO source FROM playlists p WHERE p.id = p_id AND playlist_is_visible_v1(p, p_user, p_secret_hash);
  IF NOT FOUND THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  SELECT array_agg(f.id ORDER BY f.key), array_agg(f.key ORDER BY f.key), array_agg(f.id) FILTER (WHERE f.private)
  INTO listed, keys, opened
  FROM (
    SELECT (e.t).id, k.key, (e.t).sharing = 'private' AS private
    FROM playlist_entries_v1(source, p_user, p_secret_hash, p_country) e,
      LATERAL (SELECT CASE WHEN ascending IS NULL THEN e.position WHEN ascending THEN (e.t).id ELSE -(e.t).id END AS key) k
    WHERE k.key > after_key
      AND (ids IS NULL OR (e.t).id = ANY (ids))
      AND (accesses IS NULL OR e.access = ANY (accesses))
      AND (NOT p_filter ? 'sharing' OR (e.t).sharing = p_filter->>'sharing' AND ((e.t).sharing = 'public' OR (e.t).user_id = p_user))
      AND (NOT p_filter ? 'bpm_from' OR (e.t).bpm >= (p_filter->>'bpm_from')::real)
      AND (NOT p_filter ? 'bpm_to' OR (e.t).bpm <= (p_filter->>'bpm_to')::real)
      AND (NOT p_filter ? 'duration_from' OR (e.t).duration_ms >= (p_filter->>'duration_from')::bigint)
      AND (NOT p_filter ? 'duration_to' OR (e.t).duration_ms <= (p_filter->>'duration_to')::bigint)
      AND (NOT p_filter ? 'id_from' OR (e.t).id >= (p_filter->>'id_from')::bigint)
      AND (NOT p_filter ? 'id_to' OR (e.t).id < (p_filter->>'id_to')::bigint)
      AND CASE WHEN p_filter ? 'words' AND words IS NULL THEN false
        WHEN query IS NULL THEN true
        ELSE EXISTS (SELECT FROM track_search s WHERE s.id = (e.t).id AND s.document @@ query)
          OR EXISTS (SELECT FROM track_search_unlisted s WHERE s.id = (e.t).id AND s.document @@ query) END
    ORDER BY k.key OFFSET (p_page->>'offset')::integer LIMIT page_limit + 1) f;
  RETURN json_build_object('auth_ok', true, 'found', true,
    'tracks', track_page_v1(p_user, p_country, coalesce(listed[1 : page_limit], '{}'), p_known, coalesce(opened, '{}')),
    'next', CASE WHEN cardinality(listed) > page_limit THEN json_build_object('key', keys[page_limit]) END);
END $$;

-- What playlists are searched by. Rows follow `playlists` and `users` by triggers, in the same transaction.
CREATE TABLE playlist_search (
  id bigint PRIMARY KEY REFERENCES playlists (id) ON DELETE CASCADE,
  user_id bigint NOT NULL,
  public boolean NOT NULL,
  document tsvector NOT NULL
);
CREATE INDEX playlist_search_document_idx ON playlist_search USING gin (document) WITH (fastupdate = off);

-- Weighted as a track's: A title and username, B genre and tags, D description.
CREATE FUNCTION index_playlist_v1(p playlists) RETURNS void LANGUAGE sql AS $$
  INSERT INTO playlist_search AS s
  SELECT p.id, p.user_id, p.sharing = 'public' AND o.disabled_at IS NULL, ts_delete(
    setweight(to_tsvector('simple', search_text_v1(concat_ws(' xseparatorx ', p.title, o.username, ''))), 'A')
    || setweight(to_tsvector('simple', search_text_v1(concat_ws(' xseparatorx ', p.genre,
      (SELECT string_agg(tag, ' xseparatorx ') FROM tags_of_v1(p.tag_list) tag), ''))), 'B')
    || to_tsvector('simple', search_text_v1(regexp_replace(coalesce(p.description, ''), '<[^>]*>|&[a-z0-9#]+;', ' ', 'gi'))),
    'xseparatorx')
  FROM users o WHERE o.id = p.user_id
  ON CONFLICT (id) DO UPDATE SET public = excluded.public, document = excluded.document
$$;

CREATE FUNCTION index_changed_playlist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_playlist_v1(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER playlists_are_indexed AFTER INSERT OR UPDATE OF title, description, genre, tag_list, sharing ON playlists
FOR EACH ROW EXECUTE FUNCTION index_changed_playlist();

CREATE FUNCTION index_playlists_of_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Locked, so that a change in between is not overwritten with what was there before.
  PERFORM index_playlist_v1(p) FROM (SELECT o FROM playlists o WHERE o.user_id = NEW.id FOR NO KEY UPDATE) AS held(p);
  RETURN NULL;
END $$;
CREATE TRIGGER users_playlists_are_indexed AFTER UPDATE OF username, disabled_at ON users FOR EACH ROW
WHEN (OLD.username IS DISTINCT FROM NEW.username OR (OLD.disabled_at IS NULL) <> (NEW.disabled_at IS NULL))
EXECUTE FUNCTION index_playlists_of_changed_user();

-- The first `p_limit` below `p_before`, newest first, of those that lists show this reader: everybody's and the reader's own.
CREATE FUNCTION newest_playlists_v1(p_user bigint, p_owner bigint, p_ids bigint[], p_before bigint, p_limit integer)
RETURNS bigint[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(f.id ORDER BY f.id DESC), '{}') FROM (
    (SELECT p.id FROM playlists p JOIN users o ON o.id = p.user_id
      WHERE p_owner IS NULL AND p_ids IS NULL AND p.sharing = 'public' AND p.id < p_before AND o.disabled_at IS NULL
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.id FROM playlists p
      WHERE p.user_id = p_owner AND p_ids IS NULL AND p.sharing = 'public' AND p.id < p_before
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.id FROM playlists p
      WHERE p.user_id = p_user AND (p_owner IS NULL OR p_owner = p_user) AND p_ids IS NULL AND p.id < p_before
      ORDER BY p.id DESC LIMIT p_limit)
    UNION
    (SELECT p.id FROM playlists p
      WHERE p.id = ANY (p_ids) AND playlist_is_visible_v1(p, p_user, NULL) AND (p_owner IS NULL OR p.user_id = p_owner)
        AND p.id < p_before)
    ORDER BY id DESC LIMIT p_limit) f
$$;

-- A page of playlists. `p_filter` holds `owner`, `ids`, `words` and `phrases`; `p_page` what `list_tracks_v1` has in it. Searched
-- by words, the best of the newest thousand come first, then the rest, newest first.
CREATE FUNCTION list_playlists_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_show text, p_known jsonb,
  p_most integer
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
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
  page jsonb;
  last integer;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  IF owner IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = owner AND u.disabled_at IS NULL) THEN
    RETURN jsonb_build_object('auth_ok', true, 'owner_found', false);
  END IF;
  IF NOT p_filter ? 'words' THEN
    found := newest_playlists_v1(p_user, owner, named, coalesce(after_id, 9223372036854775807), wanted);
  ELSE
    words := search_words_v1(p_filter);
    IF low IS NULL OR after_rank IS NOT NULL THEN
      SELECT coalesce(array_agg(s.id ORDER BY s.id DESC), '{}'), coalesce(array_agg(s.rank ORDER BY s.id DESC), '{}')
      INTO found, ranks
      FROM (SELECT s.id, ts_rank(s.document, words) AS rank FROM playlist_search s
        WHERE s.document @@ words AND (s.public OR s.user_id = p_user) AND (owner IS NULL OR s.user_id = owner)
          AND (named IS NULL OR s.id = ANY (named)) AND s.id >= coalesce(low, 0) AND (high IS NULL OR s.id <= high)
        ORDER BY s.id DESC LIMIT ranked_at_most) s;
      IF low IS NULL THEN
        high := found[1];
        low := CASE WHEN cardinality(found) = ranked_at_most THEN found[ranked_at_most] ELSE 0 END;
      END IF;
      SELECT coalesce(array_agg(s.id ORDER BY s.rank DESC, s.id DESC), '{}'),
        coalesce(array_agg(s.rank ORDER BY s.rank DESC, s.id DESC), '{}')
      INTO found, ranks
      FROM unnest(found, ranks) AS s(id, rank) WHERE after_rank IS NULL OR (s.rank, s.id) < (after_rank, after_id);
      after_id := low;
    END IF;
    IF cardinality(found) < wanted AND low > 0 THEN
      found := found || ARRAY(SELECT s.id FROM playlist_search s
        WHERE s.document @@ words AND (s.public OR s.user_id = p_user) AND (owner IS NULL OR s.user_id = owner)
          AND (named IS NULL OR s.id = ANY (named)) AND s.id < after_id
        ORDER BY s.id DESC LIMIT wanted - cardinality(found));
    END IF;
  END IF;
  page := playlist_page_v1(p_user, p_country, found[skipped + 1 : wanted - 1], NULL, p_show, p_known, p_most);
  last := skipped + (page->>'shown')::integer;
  RETURN page || jsonb_build_object('auth_ok', true, 'owner_found', true,
    'next', CASE WHEN cardinality(found) > last THEN jsonb_strip_nulls(jsonb_build_object(
      'id', found[last], 'rank', ranks[last], 'low', low, 'high', high)) END);
END $$;

-- The reply to a change of a playlist that is not the caller's: they may see it, or for them there is none.
CREATE FUNCTION not_own_playlist_v1(p_user bigint, p_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('auth_ok', true, 'outcome', CASE WHEN EXISTS (
    SELECT FROM playlists p WHERE p.id = p_id AND playlist_is_visible_v1(p, p_user, NULL)) THEN 'not_yours' ELSE 'unknown' END)
$$;

-- Why a playlist cannot be as it would be with the fields `p_sent`; null where it can.
CREATE FUNCTION playlist_fault_v1(p playlists, p_sent jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_sent ? 'label_id' AND p.label_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = p.label_id AND u.disabled_at IS NULL) THEN 'unknown_label'
    WHEN NOT is_release_date_v1(p.release_year, p.release_month, p.release_day) THEN 'no_such_date'
    WHEN p_sent ? 'permalink' AND EXISTS (
      SELECT FROM playlists o WHERE o.user_id = p.user_id AND o.permalink = p.permalink AND o.id IS DISTINCT FROM p.id)
      THEN 'permalink_taken'
  END
$$;

-- Why a playlist cannot hold these tracks and `p_held` others; null where it can. What is not there and what is not for this
-- user are one. Holds on to the tracks, so that none goes before the transaction ends.
CREATE FUNCTION playlist_tracks_fault_v1(p_user bigint, p_tracks bigint[], p_held integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  named integer := (SELECT count(DISTINCT id) FROM unnest(p_tracks) id);
  seen integer;
BEGIN
  IF p_held + named > 500 THEN
    RETURN 'too_many_tracks';
  END IF;
  PERFORM FROM tracks t WHERE t.id = ANY (p_tracks) AND track_access_v1(t, p_user, NULL, NULL) <> 'none' FOR KEY SHARE OF t;
  GET DIAGNOSTICS seen = ROW_COUNT;
  RETURN CASE WHEN seen < named THEN 'unknown_track' END;
END $$;

-- What is there keeps its place; the others come after it, in the order given. How many came. The playlist is locked.
CREATE FUNCTION add_playlist_tracks_v1(p_id bigint, p_tracks bigint[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  added integer;
BEGIN
  INSERT INTO playlist_tracks (playlist_id, position, track_id)
  SELECT p_id, (SELECT coalesce(max(position), 0) FROM playlist_tracks WHERE playlist_id = p_id)
    + row_number() OVER (ORDER BY n.place), n.id
  FROM (SELECT id, min(place) AS place FROM unnest(p_tracks) WITH ORDINALITY AS u(id, place) GROUP BY id) n
  WHERE NOT EXISTS (SELECT FROM playlist_tracks e WHERE e.playlist_id = p_id AND e.track_id = n.id);
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END $$;

CREATE FUNCTION lock_playlist_permalinks_v1(p_user bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('playlist_permalink'), hashint8(p_user))
$$;

-- Without a permalink of its own it gets `p_permalink`, or that with a number.
CREATE FUNCTION create_playlist_v1(
  p_session bigint, p_client text, p_user bigint, p_playlist jsonb, p_permalink text, p_secret_hash bytea,
  p_secret_sealed bytea, p_tracks bigint[], p_country text, p_known jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted playlists := jsonb_populate_record(NULL::playlists, p_playlist);
  link text := p_permalink;
  fault text;
  made bigint;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  PERFORM lock_playlist_permalinks_v1(p_user);
  wanted.user_id := p_user;
  fault := coalesce(playlist_fault_v1(wanted, p_playlist), playlist_tracks_fault_v1(p_user, p_tracks, 0));
  IF fault IS NOT NULL THEN
    RETURN jsonb_build_object('auth_ok', true, 'outcome', fault);
  END IF;
  FOR n IN 1 .. 20 LOOP
    EXIT WHEN wanted.permalink IS NOT NULL OR NOT EXISTS (SELECT FROM playlists WHERE user_id = p_user AND permalink = link);
    -- After a few tries the time-ordered id settles it.
    link := p_permalink || '-' || CASE WHEN n < 10 THEN n ELSE next_id() END;
  END LOOP;
  INSERT INTO playlists (user_id, title, permalink, description, sanitizer_version, genre, tag_list, playlist_type, license,
    label_id, label_name, release, release_day, release_month, release_year, ean, purchase_url, purchase_title,
    artwork_version, sharing, embeddable_by, secret_hash, secret_sealed)
  VALUES (p_user, wanted.title, coalesce(wanted.permalink, link), wanted.description, wanted.sanitizer_version, wanted.genre,
    coalesce(wanted.tag_list, ''), wanted.playlist_type, coalesce(wanted.license, 'all-rights-reserved'), wanted.label_id,
    wanted.label_name, wanted.release, wanted.release_day, wanted.release_month, wanted.release_year, wanted.ean,
    wanted.purchase_url, wanted.purchase_title, wanted.artwork_version, coalesce(wanted.sharing, 'public'),
    coalesce(wanted.embeddable_by, 'all'), p_secret_hash, p_secret_sealed)
  RETURNING id INTO made;
  PERFORM add_playlist_tracks_v1(made, p_tracks);
  RETURN playlist_page_v1(p_user, p_country, ARRAY[made], NULL, 'tracks', p_known, 0)
    || '{"auth_ok": true, "outcome": "done"}';
END $$;

-- `p_changes` holds columns that the owner may write, `p_tracks` what to add, or with `p_replaces` what to hold instead. The
-- lock on the row puts parallel changes in a row, so that none loses what another added.
CREATE FUNCTION update_playlist_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb, p_tracks bigint[], p_replaces boolean,
  p_expected timestamptz[], p_country text, p_known jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored playlists;
  wanted playlists;
  fault text;
  held bigint[];
  moved boolean;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  IF p_changes ? 'permalink' THEN
    PERFORM lock_playlist_permalinks_v1(p_user);
  END IF;
  SELECT * INTO stored FROM playlists WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_playlist_v1(p_user, p_id);
  END IF;
  IF stored.updated_at <> ALL (p_expected) THEN
    RETURN jsonb_build_object('auth_ok', true, 'outcome', 'changed');
  END IF;
  held := ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  wanted := jsonb_populate_record(stored, p_changes);
  fault := coalesce(playlist_fault_v1(wanted, p_changes), playlist_tracks_fault_v1(p_user, p_tracks, CASE WHEN p_replaces THEN 0
    ELSE (SELECT count(*)::integer FROM unnest(held) id WHERE id <> ALL (p_tracks)) END));
  IF fault IS NOT NULL THEN
    RETURN jsonb_build_object('auth_ok', true, 'outcome', fault);
  END IF;
  IF p_replaces THEN
    DELETE FROM playlist_tracks WHERE playlist_id = p_id;
  END IF;
  PERFORM add_playlist_tracks_v1(p_id, p_tracks);
  moved := held <> ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  IF stored.sharing = 'private' AND wanted.sharing = 'public' THEN
    wanted.published_id := next_id();
  END IF;
  IF wanted IS DISTINCT FROM stored OR moved THEN
    UPDATE playlists SET updated_at = now(), published_id = wanted.published_id, title = wanted.title,
      permalink = wanted.permalink, description = wanted.description, sanitizer_version = wanted.sanitizer_version,
      genre = wanted.genre, tag_list = wanted.tag_list, playlist_type = wanted.playlist_type, license = wanted.license,
      label_id = wanted.label_id, label_name = wanted.label_name, release = wanted.release,
      release_day = wanted.release_day, release_month = wanted.release_month, release_year = wanted.release_year,
      ean = wanted.ean, purchase_url = wanted.purchase_url, purchase_title = wanted.purchase_title,
      artwork_version = wanted.artwork_version, sharing = wanted.sharing, embeddable_by = wanted.embeddable_by
    WHERE id = p_id;
  END IF;
  RETURN playlist_page_v1(p_user, p_country, ARRAY[p_id], NULL, 'tracks', p_known, 0)
    || '{"auth_ok": true, "outcome": "done"}';
END $$;

CREATE FUNCTION remove_playlist_track_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_track bigint, p_expected timestamptz[]
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored playlists;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  SELECT * INTO stored FROM playlists WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_playlist_v1(p_user, p_id);
  END IF;
  IF stored.updated_at <> ALL (p_expected) THEN
    RETURN jsonb_build_object('auth_ok', true, 'outcome', 'changed');
  END IF;
  DELETE FROM playlist_tracks WHERE playlist_id = p_id AND track_id = p_track;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('auth_ok', true, 'outcome', 'not_held');
  END IF;
  UPDATE playlists SET updated_at = now() WHERE id = p_id;
  RETURN jsonb_build_object('auth_ok', true, 'outcome', 'done');
END $$;

CREATE FUNCTION delete_playlist_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_expected timestamptz[]
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored playlists;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  SELECT * INTO stored FROM playlists WHERE id = p_id AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_playlist_v1(p_user, p_id);
  END IF;
  IF stored.updated_at <> ALL (p_expected) THEN
    RETURN jsonb_build_object('auth_ok', true, 'outcome', 'changed');
  END IF;
  DELETE FROM playlists WHERE id = p_id;
  RETURN jsonb_build_object('auth_ok', true, 'outcome', 'done');
END $$;

-- For its owner alone.
CREATE FUNCTION find_playlist_secret_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  sealed bytea;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  SELECT secret_sealed INTO sealed FROM playlists WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_playlist_v1(p_user, p_id);
  END IF;
  RETURN jsonb_build_object('auth_ok', true, 'outcome', 'done', 'secret_sealed', encode(sealed, 'base64'));
END $$;

-- Links with the secret before this one are worth nothing from here on.
CREATE FUNCTION rotate_playlist_secret_v1(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_secret_sealed bytea
) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN jsonb_build_object('auth_ok', false);
  END IF;
  UPDATE playlists SET secret_hash = p_secret_hash, secret_sealed = p_secret_sealed, updated_at = now()
  WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_playlist_v1(p_user, p_id);
  END IF;
  RETURN jsonb_build_object('auth_ok', true, 'outcome', 'done');
END $$;
