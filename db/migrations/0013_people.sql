-- People: what finds them, whom they follow, and where else they are.

-- Words by weight, as `track_document_v1` has them: A what they are called, D what they say.
CREATE FUNCTION user_document_v1(
  p_username text, p_full_name text, p_permalink text, p_city text, p_description text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ts_delete(
    setweight(to_tsvector('simple', search_text_v1(
      p_username || ' xseparatorx ' || p_permalink || ' xseparatorx ' || coalesce(p_full_name, ''))), 'A')
    || to_tsvector('simple', search_text_v1(coalesce(p_city, '') || ' xseparatorx ' || coalesce(p_description, ''))),
    'xseparatorx')
$$;
--> statement-breakpoint
CREATE TABLE "followings" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"followee_id" bigint NOT NULL,
	CONSTRAINT "followings_user_id_followee_id_pk" PRIMARY KEY("user_id","followee_id"),
	CONSTRAINT "followings_not_oneself" CHECK ("followings"."user_id" <> "followings"."followee_id")
);
--> statement-breakpoint
CREATE TABLE "web_profiles" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"place" smallint NOT NULL,
	"service" text NOT NULL,
	"title" text,
	"url" text NOT NULL,
	"username" text,
	CONSTRAINT "web_profiles_user_id_url_key" UNIQUE("user_id","url")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "document" "tsvector" GENERATED ALWAYS AS (user_document_v1(username, full_name, permalink, city, description)) STORED;--> statement-breakpoint
ALTER TABLE "followings" ADD CONSTRAINT "followings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "followings" ADD CONSTRAINT "followings_followee_id_users_id_fk" FOREIGN KEY ("followee_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_profiles" ADD CONSTRAINT "web_profiles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX followings_user_id_idx ON followings (user_id, id DESC) INCLUDE (followee_id);
CREATE INDEX followings_followee_id_idx ON followings (followee_id, id DESC) INCLUDE (user_id);
CREATE INDEX users_document_idx ON users USING gin (document) WITH (fastupdate = off);

-- By triggers, so that counters are the rows also where those go with a user who was erased.
CREATE FUNCTION count_followings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', user_id, 'followings_count', step * count(*) FROM changed GROUP BY user_id
  UNION ALL
  SELECT 'user', followee_id, 'followers_count', step * count(*) FROM changed GROUP BY followee_id;
  RETURN NULL;
END $$;

CREATE TRIGGER new_followings_are_counted AFTER INSERT ON followings REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_followings();
CREATE TRIGGER gone_followings_are_counted AFTER DELETE ON followings REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_followings();

-- Users as their representation needs them, in the order of `p_ids`; those who left are left out. The viewer's own request is
-- the newest there is.
CREATE FUNCTION user_rows_v1(p_viewer bigint, p_ids bigint[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(json_agg(r.row ORDER BY r.place), '[]') FROM (
      SELECT p.place, (SELECT to_json(row) FROM (
        SELECT u.id, id_created_at(u.id) AS created_at, u.updated_at, u.permalink, u.username, u.full_name, u.country,
          u.city, u.description, u.discogs_name, u.myspace_name, u.website, u.website_title, u.avatar_version,
          (SELECT count(*) FROM tracks t WHERE t.user_id = u.id AND t.sharing = 'public' AND t.state <> 'failed') AS track_count,
          u.playlist_count + coalesce(d.playlists, 0) AS playlist_count,
          u.followers_count + coalesce(d.followers, 0) AS followers_count,
          u.followings_count + coalesce(d.followings, 0) AS followings_count,
          u.public_favorites_count + coalesce(d.favorites, 0) AS public_favorites_count,
          u.id IS NOT DISTINCT FROM p_viewer OR EXISTS (
            SELECT FROM sessions s WHERE s.user_id = u.id AND s.last_used_at > now() - interval '5 minutes') AS online
        ) row) AS row
      FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
      JOIN users u ON u.id = p.id AND u.disabled_at IS NULL,
      LATERAL (
        SELECT sum(delta) FILTER (WHERE counter = 'playlist_count') AS playlists,
          sum(delta) FILTER (WHERE counter = 'followers_count') AS followers,
          sum(delta) FILTER (WHERE counter = 'followings_count') AS followings,
          sum(delta) FILTER (WHERE counter = 'public_favorites_count') AS favorites
        FROM counter_deltas WHERE subject_id = u.id AND kind = 'user') d) r);
END $$;

CREATE FUNCTION user_exists_v1(p_id bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = p_id AND u.disabled_at IS NULL)
$$;

CREATE FUNCTION find_user_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  RETURN json_build_object('auth_ok', true, 'user', user_rows_v1(p_user, ARRAY[p_id])->0);
END $$;

-- A page of users, newest first: of all, or of those whom `owner` follows, or who follow `owner`, or who like or repost
-- `track`, as `relation` says. `next` is where it ended, null where nothing follows.
CREATE FUNCTION list_users_v1(
  p_session bigint, p_client text, p_user bigint, p_filter jsonb, p_page jsonb, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  owner bigint := (p_filter->>'owner')::bigint;
  track bigint := (p_filter->>'track')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words_v1(p_filter) END;
  page_limit integer := (p_page->>'limit')::integer;
  places bigint[] := '{}';
  found bigint[] := '{}';
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF owner IS NOT NULL AND NOT user_exists_v1(owner) OR track IS NOT NULL AND NOT EXISTS (
      SELECT FROM tracks t WHERE t.id = track AND track_access_v1(t, p_user, p_secret_hash, NULL) <> 'none') THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  -- Punctuation alone is no word, and is found nowhere.
  IF words IS NOT NULL OR NOT p_filter ? 'words' THEN
    -- With the values themselves the planner knows whether few are found, or so many that it meets them on its way.
    EXECUTE 'SELECT coalesce(array_agg(place), ''{}''), coalesce(array_agg(id), ''{}'') FROM (' || CASE p_filter->>'relation'
        WHEN 'followings' THEN 'SELECT f.id AS place, u.id FROM followings f JOIN users u ON u.id = f.followee_id
          WHERE f.user_id = $1 AND f.id < $2'
        WHEN 'followers' THEN 'SELECT f.id AS place, u.id FROM followings f JOIN users u ON u.id = f.user_id
          WHERE f.followee_id = $1 AND f.id < $2'
        WHEN 'favoriters' THEN 'SELECT f.id AS place, u.id FROM favorites f JOIN users u ON u.id = f.user_id
          WHERE f.track_id = $1 AND f.id < $2'
        WHEN 'reposters' THEN 'SELECT f.id AS place, u.id FROM reposts f JOIN users u ON u.id = f.user_id
          WHERE f.track_id = $1 AND f.id < $2'
        ELSE 'SELECT u.id AS place, u.id FROM users u WHERE u.id < $2' END
      || ' AND u.disabled_at IS NULL'
      || CASE WHEN ids IS NOT NULL THEN ' AND u.id = ANY ($3)' ELSE '' END
      || CASE WHEN words IS NOT NULL THEN ' AND u.document @@ $4' ELSE '' END
      || ' ORDER BY place DESC LIMIT $5 OFFSET $6) page'
    INTO places, found
    USING coalesce(owner, track), coalesce((p_page->>'before')::bigint, 9223372036854775807), ids, words, page_limit + 1,
      coalesce((p_page->>'offset')::bigint, 0);
  END IF;
  RETURN json_build_object('auth_ok', true, 'found', true, 'users', user_rows_v1(p_user, found[1 : page_limit]),
    'next', CASE WHEN cardinality(found) > page_limit THEN places[page_limit] END);
END $$;

-- `p_shown`, one of the two, where `p_follower` follows `p_followee`.
CREATE FUNCTION find_following_v1(
  p_session bigint, p_client text, p_user bigint, p_follower bigint, p_followee bigint, p_shown bigint
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF NOT (user_exists_v1(p_follower) AND user_exists_v1(p_followee) AND EXISTS (
    SELECT FROM followings WHERE user_id = p_follower AND followee_id = p_followee)) THEN
    RETURN json_build_object('auth_ok', true);
  END IF;
  RETURN json_build_object('auth_ok', true, 'user', user_rows_v1(p_user, ARRAY[p_shown])->0);
END $$;

-- Repeated, it stands. The lock makes the limit exact: of one user's requests each sees what the one before it wrote.
CREATE FUNCTION follow_v1(
  p_session bigint, p_client text, p_user bigint, p_follower bigint, p_followee bigint, p_limit integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  outcome text := 'stood';
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  ELSIF p_follower <> p_user THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_yours');
  ELSIF p_followee = p_user THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'oneself');
  ELSIF NOT user_exists_v1(p_followee) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('followings'), hashint8(p_user));
  IF NOT EXISTS (SELECT FROM followings WHERE user_id = p_user AND followee_id = p_followee) THEN
    IF (SELECT count(*) FROM followings WHERE user_id = p_user) >= p_limit THEN
      RETURN json_build_object('auth_ok', true, 'outcome', 'too_many');
    END IF;
    INSERT INTO followings (user_id, followee_id) VALUES (p_user, p_followee);
    outcome := 'made';
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', outcome, 'user', user_rows_v1(p_user, ARRAY[p_followee])->0);
END $$;

-- Somebody who was disabled meanwhile may be left as well: they count towards the limit.
CREATE FUNCTION unfollow_v1(p_session bigint, p_client text, p_user bigint, p_follower bigint, p_followee bigint) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  ELSIF p_follower <> p_user THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_yours');
  END IF;
  DELETE FROM followings WHERE user_id = p_user AND followee_id = p_followee;
  RETURN json_build_object('auth_ok', true, 'outcome',
    CASE WHEN FOUND OR user_exists_v1(p_followee) THEN 'gone' ELSE 'unknown' END);
END $$;

CREATE FUNCTION web_profile_rows_v1(p_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', w.id, 'service', w.service, 'title', w.title, 'url', w.url,
    'username', w.username, 'created_at', id_created_at(w.id)) ORDER BY w.place), '[]')
  FROM web_profiles w WHERE w.user_id = p_id
$$;

CREATE FUNCTION list_web_profiles_v1(p_session bigint, p_client text, p_user bigint, p_id bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  ELSIF NOT user_exists_v1(p_id) THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'unknown');
  END IF;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'profiles', web_profile_rows_v1(p_id));
END $$;

-- The whole list replaces the one before; an address that stays keeps its id.
CREATE FUNCTION replace_web_profiles_v1(p_session bigint, p_client text, p_user bigint, p_id bigint, p_profiles jsonb)
RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  ELSIF p_id <> p_user THEN
    RETURN json_build_object('auth_ok', true, 'outcome', 'not_yours');
  END IF;
  -- Else of two lists that come at once both would be kept.
  PERFORM pg_advisory_xact_lock(hashtext('web_profiles'), hashint8(p_user));
  DELETE FROM web_profiles w WHERE w.user_id = p_user
    AND NOT EXISTS (SELECT FROM jsonb_array_elements(p_profiles) p WHERE p->>'url' = w.url);
  INSERT INTO web_profiles (user_id, place, service, title, url, username)
  SELECT p_user, place, p->>'service', p->>'title', p->>'url', p->>'username'
  FROM jsonb_array_elements(p_profiles) WITH ORDINALITY AS given(p, place)
  ON CONFLICT (user_id, url) DO UPDATE SET place = excluded.place, service = excluded.service, title = excluded.title,
    username = excluded.username;
  RETURN json_build_object('auth_ok', true, 'outcome', 'done', 'profiles', web_profile_rows_v1(p_user));
END $$;

-- Tells who is online, to the minute. Nobody waits for it: a session that is held just now is noted by its next request.
CREATE FUNCTION note_presence_v1(p_session bigint) RETURNS boolean LANGUAGE sql AS $$
  WITH noted AS (
    UPDATE sessions SET last_used_at = now() WHERE id = (
      SELECT s.id FROM sessions s
      WHERE s.id = p_session AND s.revoked_at IS NULL AND (s.last_used_at < now() - interval '1 minute') IS NOT FALSE
      FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id)
  SELECT EXISTS (SELECT FROM noted)
$$;
