/**
 * Rules that hold after any failure. Each query returns the violations as text, for the users `$1` or, if
 * null, for all. `objects` lists storage; `told` lists the replies to clients.
 */
export const GIVEN = `
with mine as (select * from tracks t where $1::bigint[] is null or t.user_id = any($1)),
  people as (select * from users u where $1::bigint[] is null or u.id = any($1)),
  objects as (select * from jsonb_to_recordset($2::jsonb) as o(bucket text, key text, size bigint, age_s float8, sha256 text)),
  told as (select $3::jsonb as ledger)`;

/** Seconds: five attempts at twice the longest audio, and two minutes. */
const LONGEST_PROCESSING_S = 5 * 2 * 24 * 3600 + 120;

/** Counters of a table with the rows that they count. */
const counters = (kind: string, table: string, counted: Record<string, string>) =>
  Object.entries(counted).map(
    ([counter, rows]) => `
    select '${kind} ' || s.id || ': ${counter} is ' || c.stands || ' for ' || c.rows as broken
    from ${table} s, lateral (
      select s.${counter} + coalesce((select sum(delta) from counter_deltas d
          where d.kind = '${kind}' and d.subject_id = s.id and d.counter = '${counter}'), 0) as stands,
        (select count(*) from ${rows}) as rows) c
    where c.stands <> c.rows`,
  );

/** Rows of those whom lists show: neither users who left nor suspended ones. */
const visible = (rows: string, column = "user_id") =>
  `${rows} and (select u.disabled_at is null from users u where u.id = r.${column})`;

/** Comments of a user on public tracks of those who are there. */
const ofPublicTracks = (condition: string) =>
  `comments r join tracks t on t.id = r.track_id join users o on o.id = t.user_id
    where r.user_id = s.id and t.sharing = 'public' and o.disabled_at is null and ${condition}`;

/** Tables with rows of a track, by the column that references it. */
const OF_TRACKS: Record<string, string> = {
  encoding_jobs: "track_id",
  uploads: "track_id",
  comments: "track_id",
  favorites: "track_id",
  reposts: "track_id",
  track_shares: "track_id",
  playlist_tracks: "track_id",
  recent_plays: "track_id",
  connection_posts: "track_id",
  activities: "coalesce(r.favored_track_id, r.shared_track_id)",
  track_documents: "id",
};

const hangingOn = (which: string) =>
  [
    ...Object.entries(OF_TRACKS),
    ["posts where kind like 'track%'", "subject_id"],
    ["news where kind like 'track%'", "subject_id"],
  ].map(([table, column]) => {
    const [name, condition = "true"] = String(table).split(" where ");
    const id = String(column).includes("r.") ? column : `r.${column}`;
    return `select '${name} of track ' || ${id} as broken from ${name} r where ${condition} and ${id} is not null and ${which.replaceAll("ID", String(id))}`;
  });

export const INVARIANTS: Record<string, { rule: string; broken: string }> = {
  I1: {
    rule: "a finished track's job is done, a failed one's failed, a processing one's neither",
    broken: `
    select t.id || ' is ' || t.state || ', its job ' || coalesce(j.state, 'missing') as broken
    from mine t left join encoding_jobs j on j.track_id = t.id
    where j.track_id is null or j.generation < 1 or t.state <> case j.state
      when 'done' then 'finished' when 'failed' then 'failed' else 'processing' end`,
  },
  I2: {
    rule: "a finished track has a length, and media that storage holds",
    broken: `
    select id::text as broken from mine t where state = 'finished'
      and (media_prefix is null or media is null or coalesce(duration_ms, 0) <= 0
        or not exists (select from objects o where o.bucket = 'media' and starts_with(o.key, t.media_prefix))
          and not exists (select from told where ledger->'claimed' @> to_jsonb(t.id)))`,
  },
  I3: {
    rule: "every public track, playlist and repost has one post, and nothing else does",
    broken: `
    select 'not posted: ' || kind || ' ' || subject_id as broken from (
      select id, kind, user_id, subject_id from public_posts except select id, kind, user_id, subject_id from posts) p
    where user_id in (select id from people)
    union all
    select 'posted: ' || kind || ' ' || subject_id from (
      select id, kind, user_id, subject_id from posts except select id, kind, user_id, subject_id from public_posts) p
    where user_id in (select id from people)`,
  },
  I4: {
    rule: "an accepted track exists, and a used upload names its track",
    broken: `
    select 'accepted: ' || which as broken from told, jsonb_array_elements_text(ledger->'accepted') which
    where not exists (select from tracks t where t.id = which::bigint)
    union all
    select 'upload ' || u.id from uploads u left join tracks t on t.id = u.track_id
    where u.user_id in (select id from people) and u.status = 'used' and t.original_key is distinct from u.object_key`,
  },
  I5: {
    rule: "no track is processed for ever or a sixth time, and a failed one has a reason",
    broken: `
    select t.id || ': ' || j.state || ', attempt ' || j.attempt as broken from mine t join encoding_jobs j on j.track_id = t.id
    where (t.state = 'processing' and j.created_at < now() - make_interval(secs => ${LONGEST_PROCESSING_S}))
      or j.attempt not between 0 and 5 or (j.state = 'queued' and j.attempt = 5)
      or (j.state <> 'queued' and (j.state = 'failed') <> (j.failure_reason is not null and j.finished_at is not null))`,
  },
  I6: {
    rule: "counters equal the rows they count",
    broken: [
      ...counters("track", "mine", {
        comment_count: visible("comments r where r.track_id = s.id"),
        favoritings_count: visible("favorites r where r.track_id = s.id"),
        reposts_count: visible("reposts r where r.track_id = s.id"),
      }),
      ...counters("playlist", "(select * from playlists where user_id in (select id from people))", {
        favoritings_count: visible("playlist_favorites r where r.playlist_id = s.id"),
        reposts_count: visible("playlist_reposts r where r.playlist_id = s.id"),
      }),
      ...counters("user", "people", {
        playlist_count: "playlists r where r.user_id = s.id and r.sharing = 'public'",
        private_playlists_count: "playlists r where r.user_id = s.id and r.sharing = 'private'",
        followers_count: visible("followings r where r.followee_id = s.id"),
        followings_count: visible("followings r where r.user_id = s.id", "followee_id"),
        public_favorites_count: `favorites r join tracks t on t.id = r.track_id join users o on o.id = t.user_id
          where r.user_id = s.id and t.sharing = 'public' and t.state <> 'failed' and o.disabled_at is null`,
        reposts_count: "posts r where r.user_id = s.id and r.kind like '%repost'",
        comments_count: ofPublicTracks("t.reveal_comments"),
        quiet_comments_count: ofPublicTracks("not t.reveal_comments"),
      }),
    ].join(" union all "),
  },
  I7: {
    rule: "no lease outlasts its heartbeats",
    broken: `
    select t.id::text as broken from mine t join encoding_jobs j on j.track_id = t.id
    where j.state = 'leased' and j.lease_until < now() - interval '20 s'`,
  },
  I8: {
    rule: "referenced objects are stored and not garbage, and others are stored for a day at most",
    broken: `
    select t.id || ' uses garbage: ' || g.prefix as broken from mine t
    join object_garbage g on g.prefix in (t.media_prefix, t.original_key)
    union all
    select t.id || ' misses ' || t.original_key from mine t join uploads u on u.track_id = t.id and u.status = 'used'
    where t.original_deleted_at is null
      and not exists (select from objects o where o.bucket = 'uploads' and o.key = t.original_key)
    union all
    select 'nobody references ' || o.key from objects o
    where o.age_s > 24 * 3600
      and not exists (select from referenced_objects() r where r.bucket = o.bucket and starts_with(o.key, r.prefix))
      and not exists (select from object_garbage g where g.bucket = o.bucket and starts_with(o.key, g.prefix))
      and not exists (select from kept_objects k where starts_with(o.key, k.prefix))
      and not exists (select from uploads u where u.object_key = o.key and u.status in ('open', 'completing', 'ready'))`,
  },
  I9: {
    rule: "a live session has at most one unused refresh token, an ended one none",
    broken: `
    select 'session ' || s.id as broken from sessions s join refresh_tokens r on r.session_id = s.id
    where $1::bigint[] is null or s.user_id = any($1)
    group by s.id having count(*) filter (where r.consumed_at is null) > 1 or max(r.created_at) > min(s.revoked_at)`,
  },
  I10: {
    rule: "an idempotency key has one outcome, which is there as soon as the key is",
    broken: `
    select 'replies to ' || (r->>'key') as broken from told, jsonb_array_elements(ledger->'replies') r
    group by r->>'key' having count(distinct r->>'reply') > 1
    union all
    select encode(key_hash, 'hex') from idempotency_keys where num_nonnulls(result, made_id) <> 1`,
  },
  I11: {
    rule: "an app gets at most 50 tokens of its own in twelve hours, an address 30 in an hour",
    broken: `
    select 'app ' || app_id || ', address ' || address as broken from (
      select g.*, count(*) over (partition by app_id order by granted_at
          range between interval '12 hours' preceding and current row) as by_app,
        count(*) over (partition by address order by granted_at
          range between interval '1 hour' preceding and current row) as by_address
      from client_credentials_grants g) c
    where (by_app > 50 or by_address > 30) and ($1::bigint[] is null
      or app_id in (select id from apps where owner_id = any($1)))`,
  },
  I12: {
    rule: "a track's audio never changes",
    broken: `
    select t.id::text as broken from mine t join objects o on o.bucket = 'uploads' and o.key = t.original_key
    where o.size <> t.original_content_size
    union all
    select t.id::text from told, jsonb_array_elements(ledger->'originals') sent
    join mine t on t.id = (sent->>'track')::bigint
    join objects o on o.bucket = 'uploads' and o.key = t.original_key
    where o.sha256 is distinct from sent->>'sha256'`,
  },
  I13: {
    rule: "a deleted track leaves nothing",
    broken: [
      ...hangingOn("not exists (select from tracks t where t.id = ID)"),
      `select 'track ' || which from told, jsonb_array_elements_text(ledger->'deleted') which
       where exists (select from tracks t where t.id = which::bigint)`,
      `select 'track ' || (a->>'track') || ' is answered ' || (a->>'status')
       from told, jsonb_array_elements(ledger->'answers') a where a->>'status' <> '404'`,
      `select 'object ' || o.key from told, jsonb_array_elements_text(ledger->'deleted') which, objects o
       where o.bucket = 'media' and starts_with(o.key, 't/' || which || '/')
         and not exists (select from object_garbage g where g.bucket = o.bucket and starts_with(o.key, g.prefix))`,
    ].join(" union all "),
  },
  I14: {
    rule: "a refused write leaves nothing",
    broken: `
    select 'track of upload ' || which as broken from told, jsonb_array_elements_text(ledger->'refused_uploads') which
    where exists (select from uploads u where u.id::text = which and u.track_id is not null)
    union all
    select 'app ' || which from told, jsonb_array_elements_text(ledger->'refused_apps') which
    where exists (select from apps a where a.name = which and a.owner_id in (select id from people))`,
  },
};
