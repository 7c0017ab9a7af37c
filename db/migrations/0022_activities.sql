CREATE TABLE "activities" (
	"id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"about" text NOT NULL,
	"actor_id" bigint NOT NULL,
	"comment_id" bigint,
	"favored_track_id" bigint,
	"shared_track_id" bigint,
	"answers" boolean DEFAULT false NOT NULL,
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "activities_user_id_about_id_pk" PRIMARY KEY("user_id","about","id"),
	CONSTRAINT "activities_about" CHECK ("activities"."about" in ('own', 'shared', 'conversation')),
	CONSTRAINT "activities_event" CHECK (num_nonnulls("activities"."comment_id", "activities"."favored_track_id", "activities"."shared_track_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_comment_id_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_favorite_fk" FOREIGN KEY ("actor_id","favored_track_id") REFERENCES "public"."favorites"("user_id","track_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_share_fk" FOREIGN KEY ("shared_track_id","user_id") REFERENCES "public"."track_shares"("track_id","user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- An event that is undone takes its activity along by these.
CREATE INDEX activities_comment_id_idx ON activities (comment_id) WHERE comment_id IS NOT NULL;
CREATE UNIQUE INDEX activities_favorite_key ON activities (actor_id, favored_track_id) WHERE favored_track_id IS NOT NULL;
CREATE UNIQUE INDEX activities_share_key ON activities (shared_track_id, user_id) WHERE shared_track_id IS NOT NULL;
-- Tells who shares something for the first time.
CREATE INDEX activities_sharer_idx ON activities (user_id, actor_id, id) WHERE shared_track_id IS NOT NULL;

-- Whether what was said, in small letters, begins with `@` and this name, and not with a longer word.
CREATE FUNCTION names_v1(p_said text, p_name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT starts_with(p_said, '@' || lower(p_name COLLATE pg_c_utf8))
    AND substr(p_said, length(lower(p_name COLLATE pg_c_utf8)) + 2, 1) !~ '[[:alnum:]_]'
$$;

-- Whom a comment answers: who commented on the track before, at the same time in it, or whose name it begins with. Among the
-- last 1,000 comments, and at most the last 100 people: no comment costs more, on whatever track.
CREATE FUNCTION answered_by_v1(c comments) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
  WITH earlier AS MATERIALIZED (
    SELECT o.id, o.user_id, o.timestamp_ms FROM comments o
    WHERE o.track_id = c.track_id AND o.id < c.id ORDER BY o.id DESC LIMIT 1000
  ), said AS MATERIALIZED (
    SELECT replace(replace(replace(replace(lower(btrim(regexp_replace(c.body, '<[^>]*>', '', 'g')) COLLATE pg_c_utf8),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&') AS text)
  SELECT e.user_id FROM (
    SELECT e.user_id, e.id FROM earlier e WHERE c.timestamp_ms IS NOT NULL AND e.timestamp_ms = c.timestamp_ms
    UNION ALL
    SELECT e.user_id, e.id FROM said s, earlier e JOIN users u ON u.id = e.user_id
    WHERE (SELECT text LIKE '@%' FROM said) AND (names_v1(s.text, u.username) OR names_v1(s.text, u.permalink))) e
  WHERE e.user_id <> c.user_id
  GROUP BY e.user_id ORDER BY max(e.id) DESC LIMIT 100
$$;

-- Nobody hears of what they do themselves.
CREATE FUNCTION tell_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activities (id, user_id, about, actor_id, comment_id, answers)
  SELECT new.id, r.user_id, CASE WHEN bool_or(r.own) THEN 'own' ELSE 'conversation' END, new.user_id, new.id, bool_or(NOT r.own)
  FROM (SELECT t.user_id, true AS own FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id
    UNION ALL SELECT user_id, false FROM answered_by_v1(new) user_id) r
  GROUP BY r.user_id;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_of_favorite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activities (id, user_id, about, actor_id, favored_track_id)
  SELECT new.id, t.user_id, 'own', new.user_id, t.id FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_of_share() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activities (id, user_id, about, actor_id, shared_track_id)
  SELECT new.id, new.user_id, 'shared', t.user_id, t.id FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id;
  RETURN NULL;
END $$;

CREATE FUNCTION forget_activities() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM activities a WHERE a.user_id = old.id;
  RETURN NULL;
END $$;

CREATE TRIGGER comments_are_told AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION tell_of_comment();
CREATE TRIGGER favorites_are_told AFTER INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION tell_of_favorite();
CREATE TRIGGER shares_are_told AFTER INSERT ON track_shares FOR EACH ROW EXECUTE FUNCTION tell_of_share();
CREATE TRIGGER activities_of_gone_user_go AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_activities();

INSERT INTO activities (id, user_id, about, actor_id, comment_id)
SELECT c.id, t.user_id, 'own', c.user_id, c.id FROM comments c JOIN tracks t ON t.id = c.track_id WHERE t.user_id <> c.user_id;
INSERT INTO activities (id, user_id, about, actor_id, favored_track_id)
SELECT f.id, t.user_id, 'own', f.user_id, t.id FROM favorites f JOIN tracks t ON t.id = f.track_id WHERE t.user_id <> f.user_id;
INSERT INTO activities (id, user_id, about, actor_id, shared_track_id)
SELECT s.id, s.user_id, 'shared', t.user_id, t.id FROM track_shares s JOIN tracks t ON t.id = s.track_id WHERE t.user_id <> s.user_id;

-- Tracks of those whom `p_user` follows, as `followed_posts_v1` has them, but for those that were shared with `p_user`: of
-- these the share tells. With `p_access` only what may be used so.
CREATE FUNCTION followed_tracks_v1(
  p_user bigint, p_country text, p_access text[], p_before bigint, p_limit integer, p_since jsonb, p_until jsonb
) RETURNS TABLE (place bigint, user_id bigint, track_id bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- Of posts that do not fit, so that the cost of a page stays bounded.
  looked_at_most CONSTANT integer := 20000;
  post record;
  below bigint := p_before;
  asked integer := p_limit;
  missing integer := p_limit;
  looked integer := 0;
  met integer;
BEGIN
  LOOP
    met := 0;
    FOR post IN SELECT * FROM followed_posts_v1(p_user, '{track}', below, NULL, asked, p_since, p_until) LOOP
      met := met + 1;
      below := post.place;
      IF NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = post.subject_id AND s.user_id = p_user) AND EXISTS (
          SELECT FROM tracks t, LATERAL (SELECT track_access_v1(t, p_user, NULL, p_country) AS access OFFSET 0) a
          WHERE t.id = post.subject_id AND t.state <> 'failed' AND a.access <> 'none'
            AND (p_access IS NULL OR a.access = ANY (p_access))) THEN
        RETURN QUERY SELECT post.place, post.user_id, post.subject_id;
        missing := missing - 1;
        EXIT WHEN missing = 0;
      END IF;
    END LOOP;
    looked := looked + met;
    EXIT WHEN missing = 0 OR met < asked OR looked >= looked_at_most;
    asked := least(asked * 4, looked_at_most - looked);
  END LOOP;
END $$;

CREATE FUNCTION mini_track_v1(p_track bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', t.id, 'user_id', t.user_id, 'title', t.title, 'permalink', t.permalink,
    'artwork_version', t.artwork_version, 'updated_at', t.updated_at, 'user', mini_user_v1(t.user_id))
  FROM tracks t WHERE t.id = p_track
$$;

-- Nobody is heard of who has left, and others' tracks are under the one rule of visibility; one's own one always sees.
CREATE FUNCTION sees_activity_v1(a activities, p_user bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = a.actor_id AND u.disabled_at IS NULL)
    AND (a.about = 'own' OR EXISTS (SELECT FROM tracks t
      WHERE t.id = coalesce(a.shared_track_id, (SELECT c.track_id FROM comments c WHERE c.id = a.comment_id))
        AND t.state <> 'failed' AND track_access_v1(t, p_user, NULL, NULL) <> 'none'))
$$;

CREATE FUNCTION follows_v1(p_user bigint, p_followee bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM followings f WHERE f.user_id = p_user AND f.followee_id = p_followee)
$$;

CREATE FUNCTION is_exclusive_v1(p_track bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT count(*) <= 10 FROM (SELECT FROM track_shares s WHERE s.track_id = p_track LIMIT 11) s
$$;

-- The first `p_limit` activities in order of place, newest first, and perhaps more. `p_what` is `all`, or of all of them
-- `own`, `tracks` (made or shared), and of those `affiliated` or `exclusive`; `p_access` chooses among tracks alone. The rest is
-- as in `followed_posts_v1`.
CREATE FUNCTION find_activities_v1(
  p_user bigint, p_country text, p_what text, p_access text[], p_before bigint, p_limit integer, p_since jsonb, p_until jsonb
) RETURNS TABLE (place bigint, type text, about text, actor_id bigint, track_id bigint, comment_id bigint, answers boolean)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  below bigint := coalesce(p_before, 9223372036854775807);
  since_settled bigint := (p_since->>'settled')::bigint;
  since_snapshot pg_snapshot := (p_since->>'snapshot')::pg_snapshot;
  until_settled bigint := (p_until->>'settled')::bigint;
  until_snapshot pg_snapshot := (p_until->>'snapshot')::pg_snapshot;
  -- What the user sees no more is passed over; where there is more of it than this, the list ends.
  walked CONSTANT integer := 20000;
  one text;
BEGIN
  -- One after the other, so that each walks its index and stops.
  FOREACH one IN ARRAY CASE p_what WHEN 'all' THEN '{own,conversation,shared}' WHEN 'own' THEN '{own}' ELSE '{shared}' END::text[]
  LOOP
    RETURN QUERY
      SELECT a.id, CASE WHEN a.shared_track_id IS NOT NULL THEN 'track-sharing' WHEN a.comment_id IS NOT NULL THEN 'comment'
          ELSE 'favoriting' END, a.about, a.actor_id,
        coalesce(a.favored_track_id, a.shared_track_id, (SELECT c.track_id FROM comments c WHERE c.id = a.comment_id)),
        a.comment_id, a.answers
      FROM (
        SELECT e.* FROM activities e
        WHERE e.user_id = p_user AND e.about = one AND e.id < below AND e.id > coalesce(since_settled, -1)
          AND (p_since IS NULL OR NOT was_there_v1(e.id, e.transaction_id, since_settled, since_snapshot))
          AND (p_until IS NULL OR was_there_v1(e.id, e.transaction_id, until_settled, until_snapshot))
        ORDER BY e.id DESC LIMIT walked) a
      WHERE (p_what <> 'affiliated' OR follows_v1(p_user, a.actor_id))
        AND (p_what <> 'exclusive' OR is_exclusive_v1(a.shared_track_id))
        AND (p_access IS NULL OR a.about <> 'shared' OR (
          SELECT track_access_v1(t, p_user, NULL, p_country) FROM tracks t WHERE t.id = a.shared_track_id) = ANY (p_access))
        AND sees_activity_v1(a, p_user)
      ORDER BY a.id DESC LIMIT p_limit;
  END LOOP;
  IF p_what IN ('all', 'tracks', 'affiliated') THEN
    RETURN QUERY SELECT t.place, 'track', 'followed', t.user_id, t.track_id, NULL::bigint, false
      FROM followed_tracks_v1(p_user, p_country, p_access, p_before, p_limit, p_since, p_until) t;
  END IF;
END $$;

-- `p_page` holds `limit`; of a page after the first `before`, where the page before it ended; `since` of what came after that
-- moment, `until` of what was there at that one. `moment` is that of the first page, `next` where this one ended, null where
-- nothing follows. Each time anew, to plan it would take longer than to run it.
CREATE FUNCTION list_activities_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_what text, p_access text[], p_page jsonb, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  page_limit integer := (p_page->>'limit')::integer;
  taken bigint;
  page json;
  last_place bigint;
  whole bigint[];
  shared bigint[];
  mini bigint[];
  said bigint[];
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  WITH found AS MATERIALIZED (
    SELECT f.* FROM find_activities_v1(p_user, p_country, p_what, p_access, (p_page->>'before')::bigint, page_limit + 1,
      p_page->'since', p_page->'until') f
    ORDER BY f.place DESC LIMIT page_limit + 1
  ), page AS MATERIALIZED (SELECT f.* FROM found f ORDER BY f.place DESC LIMIT page_limit)
  SELECT (SELECT count(*) FROM found), min(p.place), json_agg(json_build_object(
      'type', p.type, 'created_at', id_created_at(p.place), 'track_id', p.track_id, 'comment_id', p.comment_id,
      'own', p.about = 'own', 'conversation', p.about = 'conversation' OR p.answers,
      'affiliated', p.about = 'followed' OR follows_v1(p_user, p.actor_id),
      'exclusive', p.about = 'shared' AND is_exclusive_v1(p.track_id),
      'first', p.about = 'shared' AND NOT follows_v1(p_user, p.actor_id) AND NOT EXISTS (
        SELECT FROM activities e WHERE e.user_id = p_user AND e.actor_id = p.actor_id AND e.shared_track_id IS NOT NULL
          AND e.id < p.place),
      'note', CASE WHEN p.about = 'shared' THEN
        (SELECT s.note FROM track_shares s WHERE s.track_id = p.track_id AND s.user_id = p_user) END,
      'user', CASE WHEN p.type = 'favoriting' THEN mini_user_v1(p.actor_id) END) ORDER BY p.place DESC),
    array_agg(p.track_id ORDER BY p.place DESC) FILTER (WHERE p.type IN ('track', 'track-sharing')),
    array_agg(p.track_id) FILTER (WHERE p.type = 'track-sharing'),
    array_agg(DISTINCT p.track_id) FILTER (WHERE p.type IN ('comment', 'favoriting')), array_agg(p.comment_id) FILTER (WHERE p.type = 'comment')
  INTO taken, last_place, page, whole, shared, mini, said FROM page p;
  RETURN json_build_object('auth_ok', true, 'activities', coalesce(page, '[]'), 'moment', coalesce(p_page->'until', moment_v1()),
    'tracks', CASE WHEN whole IS NOT NULL THEN track_page_v1(p_user, p_country, whole, p_known, coalesce(shared, '{}')) END,
    'mini_tracks', (SELECT coalesce(json_agg(mini_track_v1(m.id)), '[]') FROM unnest(mini) m(id)),
    'comments', comment_rows_v1(coalesce(said, '{}')), 'next', CASE WHEN taken > page_limit THEN last_place END);
END $$;
