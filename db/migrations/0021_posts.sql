CREATE TABLE "posts" (
	"id" bigint NOT NULL,
	"kind" text NOT NULL,
	"user_id" bigint NOT NULL,
	"subject_id" bigint NOT NULL,
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "posts_subject_id_kind_user_id_pk" PRIMARY KEY("subject_id","kind","user_id"),
	CONSTRAINT "posts_kind" CHECK ("posts"."kind" in ('track', 'track-repost', 'playlist', 'playlist-repost'))
);
--> statement-breakpoint
-- What `posts` holds. The migration fills it from here, and triggers keep it so: what all may see, by people who have not left.
CREATE VIEW public_posts AS
  SELECT t.published_id AS id, 'track' AS kind, t.user_id, t.id AS subject_id, t.user_id AS owner_id
  FROM tracks t JOIN users o ON o.id = t.user_id
  WHERE t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL
  UNION ALL
  SELECT r.id, 'track-repost', r.user_id, t.id, t.user_id
  FROM reposts r JOIN users u ON u.id = r.user_id JOIN tracks t ON t.id = r.track_id JOIN users o ON o.id = t.user_id
  WHERE t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL AND u.disabled_at IS NULL
  UNION ALL
  SELECT p.published_id, 'playlist', p.user_id, p.id, p.user_id
  FROM playlists p JOIN users o ON o.id = p.user_id
  WHERE p.sharing = 'public' AND o.disabled_at IS NULL
  UNION ALL
  SELECT r.id, 'playlist-repost', r.user_id, p.id, p.user_id
  FROM playlist_reposts r JOIN users u ON u.id = r.user_id JOIN playlists p ON p.id = r.playlist_id
    JOIN users o ON o.id = p.user_id
  WHERE p.sharing = 'public' AND o.disabled_at IS NULL AND u.disabled_at IS NULL;

-- Who reposts a track or playlist, or posts as a user, holds its row by the key until that is committed. Who changes what
-- all may see takes it whole: of the two one waits, and knows what the other did. Before there is a newer version of the
-- row, for of two versions each could hold one.
CREATE FUNCTION hold_what_is_posted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT FROM %I WHERE id = $1 FOR UPDATE', TG_TABLE_NAME) USING old.id;
  RETURN new;
END $$;

-- A track or playlist, as the argument says, that came, went, or became or ceased to be everybody's.
CREATE FUNCTION post_subject() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject bigint := coalesce(new.id, old.id);
  kinds text[] := ARRAY[TG_ARGV[0], TG_ARGV[0] || '-repost'];
BEGIN
  DELETE FROM posts p WHERE p.subject_id = subject AND p.kind = ANY (kinds);
  INSERT INTO posts (id, kind, user_id, subject_id)
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p
  WHERE TG_OP <> 'DELETE' AND p.subject_id = subject AND p.kind = ANY (kinds);
  RETURN NULL;
END $$;

CREATE TRIGGER changed_track_is_held BEFORE UPDATE OF sharing, state, published_id ON tracks FOR EACH ROW
WHEN ((old.sharing = 'public' AND old.state <> 'failed') <> (new.sharing = 'public' AND new.state <> 'failed')
  OR old.published_id <> new.published_id) EXECUTE FUNCTION hold_what_is_posted();
CREATE TRIGGER changed_track_is_posted AFTER UPDATE OF sharing, state, published_id ON tracks FOR EACH ROW
WHEN ((old.sharing = 'public' AND old.state <> 'failed') <> (new.sharing = 'public' AND new.state <> 'failed')
  OR old.published_id <> new.published_id) EXECUTE FUNCTION post_subject('track');
CREATE TRIGGER new_track_is_posted AFTER INSERT ON tracks FOR EACH ROW
WHEN (new.sharing = 'public' AND new.state <> 'failed') EXECUTE FUNCTION post_subject('track');
CREATE TRIGGER gone_track_is_not_posted AFTER DELETE ON tracks FOR EACH ROW EXECUTE FUNCTION post_subject('track');

CREATE TRIGGER changed_playlist_is_held BEFORE UPDATE OF sharing, published_id ON playlists FOR EACH ROW
WHEN (old.sharing <> new.sharing OR old.published_id <> new.published_id) EXECUTE FUNCTION hold_what_is_posted();
CREATE TRIGGER changed_playlist_is_posted AFTER UPDATE OF sharing, published_id ON playlists FOR EACH ROW
WHEN (old.sharing <> new.sharing OR old.published_id <> new.published_id) EXECUTE FUNCTION post_subject('playlist');
CREATE TRIGGER new_playlist_is_posted AFTER INSERT ON playlists FOR EACH ROW
WHEN (new.sharing = 'public') EXECUTE FUNCTION post_subject('playlist');
CREATE TRIGGER gone_playlist_is_not_posted AFTER DELETE ON playlists FOR EACH ROW EXECUTE FUNCTION post_subject('playlist');

-- Arguments: the table of what is reposted, and the kind of the post.
CREATE FUNCTION post_repost() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  repost jsonb := to_jsonb(CASE TG_OP WHEN 'INSERT' THEN new ELSE old END);
  reposter bigint := repost->>'user_id';
  subject bigint := coalesce(repost->>'track_id', repost->>'playlist_id');
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM posts p WHERE p.subject_id = subject AND p.kind = TG_ARGV[1] AND p.user_id = reposter;
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT FROM %I WHERE id = $1 FOR KEY SHARE', TG_ARGV[0]) USING subject;
  INSERT INTO posts (id, kind, user_id, subject_id)
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p
  WHERE p.subject_id = subject AND p.kind = TG_ARGV[1] AND p.user_id = reposter;
  RETURN NULL;
END $$;

CREATE TRIGGER reposts_are_posted AFTER INSERT OR DELETE ON reposts FOR EACH ROW
EXECUTE FUNCTION post_repost('tracks', 'track-repost');
CREATE TRIGGER reposts_are_posted AFTER INSERT OR DELETE ON playlist_reposts FOR EACH ROW
EXECUTE FUNCTION post_repost('playlists', 'playlist-repost');

-- With a user go their posts, and others' reposts of what is theirs; both come back with them.
CREATE FUNCTION post_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tracks t WHERE t.user_id = new.id FOR UPDATE;
  PERFORM FROM playlists l WHERE l.user_id = new.id FOR UPDATE;
  DELETE FROM posts p WHERE p.user_id = new.id;
  DELETE FROM posts p USING tracks t WHERE t.user_id = new.id AND p.subject_id = t.id AND p.kind = 'track-repost';
  DELETE FROM posts p USING playlists l WHERE l.user_id = new.id AND p.subject_id = l.id AND p.kind = 'playlist-repost';
  INSERT INTO posts (id, kind, user_id, subject_id)
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p WHERE p.user_id = new.id
  UNION ALL
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p WHERE p.owner_id = new.id AND p.user_id <> new.id;
  RETURN NULL;
END $$;

CREATE TRIGGER leaving_user_is_held BEFORE UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION hold_what_is_posted();
CREATE TRIGGER posts_of_left_user_go AFTER UPDATE OF disabled_at ON users FOR EACH ROW
WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL)) EXECUTE FUNCTION post_user();

INSERT INTO posts (id, kind, user_id, subject_id) SELECT id, kind, user_id, subject_id FROM public_posts;
CREATE INDEX posts_id_idx ON posts (id DESC) INCLUDE (user_id, kind, subject_id, transaction_id);
CREATE INDEX posts_user_id_id_idx ON posts (user_id, id DESC) INCLUDE (kind, subject_id, transaction_id);

-- A moment of a list that is ordered by time-ordered ids: what was committed by then, as a snapshot tells it. Ids are made
-- before their rows are committed, so that "after the newest id I saw" would lose what was still being written. Of ids up to
-- `settled` it is not asked: no transaction stays open that long, and a snapshot means nothing in a restored database.
CREATE FUNCTION moment_v1() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('snapshot', pg_current_snapshot()::text,
    'settled', ((extract(epoch FROM now() - interval '10 minutes') * 1000)::bigint - 1704067200000) << 12)
$$;

-- Whether a row of such a list was there at the moment; `p_settled` and `p_snapshot` are what `moment_v1` told.
CREATE FUNCTION was_there_v1(p_id bigint, p_transaction xid8, p_settled bigint, p_snapshot pg_snapshot) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_id <= p_settled OR pg_visible_in_snapshot(p_transaction, p_snapshot)
$$;

-- The newest `p_limit` posts of these kinds by those whom `p_user` follows, between `p_after` and `p_before`, newest first.
-- With `p_since` only what came after that moment, with `p_until` only what was there at that one.
CREATE FUNCTION followed_posts_v1(
  p_user bigint, p_kinds text[], p_before bigint, p_after bigint, p_limit integer,
  p_since jsonb DEFAULT NULL, p_until jsonb DEFAULT NULL
) RETURNS TABLE (place bigint, kind text, user_id bigint, subject_id bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- To ask for the newest post of one who is followed costs as much as two or three rows of a walk through everybody's. A
  -- walk that fills the page stops early; it is given up where asking each would have cost no more. Few are asked at once.
  rows_for_each CONSTANT integer := 2;
  few CONSTANT integer := 300;
  followed integer := (SELECT count(*) FROM followings f WHERE f.user_id = p_user);
  below bigint := coalesce(p_before, 9223372036854775807);
  above bigint := greatest(p_after, (p_since->>'settled')::bigint, -1);
  since_settled bigint := (p_since->>'settled')::bigint;
  since_snapshot pg_snapshot := (p_since->>'snapshot')::pg_snapshot;
  until_settled bigint := (p_until->>'settled')::bigint;
  until_snapshot pg_snapshot := (p_until->>'snapshot')::pg_snapshot;
  walked posts[] := '{}';
BEGIN
  IF followed > few THEN
    -- `IS TRUE` keeps the planner from joining: so it hashes those followed, and stops when the page is full.
    walked := ARRAY(
      SELECT w FROM (SELECT p.* FROM posts p WHERE p.id < below AND p.id > above ORDER BY p.id DESC
        LIMIT followed * rows_for_each) w
      WHERE (w.user_id IN (SELECT f.followee_id FROM followings f WHERE f.user_id = p_user)) IS TRUE
        AND w.kind = ANY (p_kinds)
        AND (p_since IS NULL OR NOT was_there_v1(w.id, w.transaction_id, since_settled, since_snapshot))
        AND (p_until IS NULL OR was_there_v1(w.id, w.transaction_id, until_settled, until_snapshot))
      ORDER BY w.id DESC LIMIT p_limit);
    IF cardinality(walked) = p_limit THEN
      RETURN QUERY SELECT w.id, w.kind, w.user_id, w.subject_id FROM unnest(walked) w ORDER BY w.id DESC;
      RETURN;
    END IF;
  END IF;
  -- Whose newest is older than the newest of `p_limit` others' has nothing on this page.
  RETURN QUERY
    WITH newest AS MATERIALIZED (
      SELECT f.followee_id, n.id
      FROM followings f, LATERAL (
        SELECT p.id FROM posts p
        WHERE p.user_id = f.followee_id AND p.id < below AND p.id > above AND p.kind = ANY (p_kinds)
          AND (p_since IS NULL OR NOT was_there_v1(p.id, p.transaction_id, since_settled, since_snapshot))
          AND (p_until IS NULL OR was_there_v1(p.id, p.transaction_id, until_settled, until_snapshot))
        ORDER BY p.id DESC LIMIT 1) n
      WHERE f.user_id = p_user ORDER BY n.id DESC LIMIT p_limit
    ), reach AS MATERIALIZED (
      SELECT CASE WHEN count(*) = p_limit THEN min(n.id) ELSE above + 1 END AS from_id FROM newest n
    )
    SELECT p.id, p.kind, p.user_id, p.subject_id
    FROM newest n, LATERAL (
      SELECT p.* FROM posts p
      WHERE p.user_id = n.followee_id AND p.id <= n.id AND p.id >= (SELECT r.from_id FROM reach r) AND p.kind = ANY (p_kinds)
        AND (p_since IS NULL OR NOT was_there_v1(p.id, p.transaction_id, since_settled, since_snapshot))
        AND (p_until IS NULL OR was_there_v1(p.id, p.transaction_id, until_settled, until_snapshot))
      ORDER BY p.id DESC LIMIT p_limit) p
    ORDER BY p.id DESC LIMIT p_limit;
END $$;

-- A page of what those posted whom the reader follows. `p_page` holds `limit`; `before`, where the page before ended; `until`,
-- the moment of the first page; and `since`, where only what came after that moment is asked for.
CREATE FUNCTION list_feed_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_kinds text[], p_access text[], p_page jsonb, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- Of posts whose tracks hardly ever have the wanted `access`, so that the cost of a page stays bounded.
  looked_at_most CONSTANT integer := 20000;
  page_limit integer := (p_page->>'limit')::integer;
  below bigint := (p_page->>'before')::bigint;
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  asked integer := page_limit + 1;
  looked integer := 0;
  met integer;
  fitting posts[];
  found posts[] := '{}';
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  LOOP
    SELECT count(*), min(f.place), array_agg(ROW(f.place, f.kind, f.user_id, f.subject_id, NULL)::posts ORDER BY f.place DESC)
      FILTER (WHERE CASE WHEN f.kind IN ('track', 'track-repost') THEN EXISTS (
          SELECT FROM tracks t JOIN users o ON o.id = t.user_id, LATERAL (
            SELECT track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user, t.sharing = 'private', t.streamable,
              t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
              t.paywall, paying) AS access OFFSET 0) a
          WHERE t.id = f.subject_id AND t.sharing = 'public' AND t.state <> 'failed' AND a.access <> 'none'
            AND (p_access IS NULL OR a.access = ANY (p_access)))
        ELSE EXISTS (SELECT FROM playlists p
          WHERE p.id = f.subject_id AND p.sharing = 'public' AND playlist_is_visible_v1(p, p_user, NULL)) END)
    INTO met, below, fitting
    FROM followed_posts_v1(p_user, p_kinds, below, NULL, asked, p_page->'since', p_page->'until') f;
    found := found || coalesce(fitting, '{}');
    looked := looked + met;
    EXIT WHEN cardinality(found) > page_limit OR met < asked OR looked >= looked_at_most;
    asked := least(asked * 4, looked_at_most - looked);
  END LOOP;
  RETURN json_build_object('auth_ok', true,
    'items', (
      SELECT coalesce(json_agg(json_build_object('kind', f.kind, 'posted_at', id_created_at(f.id), 'subject_id', f.subject_id,
        'own', CASE WHEN f.kind = 'track-repost' THEN EXISTS (SELECT FROM tracks t WHERE t.id = f.subject_id AND t.user_id = p_user)
          WHEN f.kind = 'playlist-repost' THEN EXISTS (SELECT FROM playlists p WHERE p.id = f.subject_id AND p.user_id = p_user)
          ELSE false END,
        'reposter', CASE WHEN f.kind IN ('track-repost', 'playlist-repost') THEN mini_user_v1(f.user_id) END) ORDER BY f.id DESC), '[]')
      FROM unnest(found[1 : page_limit]) f),
    'tracks', track_page_v1(p_user, p_country, (
      SELECT coalesce(array_agg(DISTINCT f.subject_id), '{}') FROM unnest(found[1 : page_limit]) f
      WHERE f.kind IN ('track', 'track-repost')), p_known),
    'playlists', playlist_page_v1(p_user, p_country, (
      SELECT coalesce(array_agg(DISTINCT f.subject_id), '{}') FROM unnest(found[1 : page_limit]) f
      WHERE f.kind IN ('playlist', 'playlist-repost')), NULL, 'none', '{}', 0)->'playlists',
    'next', CASE WHEN cardinality(found) > page_limit THEN found[page_limit].id END,
    'moment', coalesce(p_page->'until', moment_v1()));
END $$;
