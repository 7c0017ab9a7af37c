/**
 * Parameters of every statement: `$1` session, `$2` app and `$3` user of the token, `$4` what is asked for. A session that has
 * ended gives no row, and nothing found one row of nulls. So one statement tells both.
 */
const CALLER = `
  caller as materialized (
    select u.id as user_id, coalesce(u.plan <> 'free', false) as paying
    from sessions s join apps a on a.id = s.app_id left join users u on u.id = s.user_id
    where s.id = $1 and a.client_id = $2 and s.user_id is not distinct from $3::bigint and s.revoked_at is null
      and s.expires_at > now() and a.disabled_at is null and u.disabled_at is null)`;

/** Tracks with their owners. A track that was taken down is private, and only its owner sees it. */
const OWNED = "tracks t join users o on o.id = t.user_id and o.disabled_at is null";
const SHARED = `t.taken_down_at is null
  and exists (select from track_shares s where s.track_id = t.id and s.user_id = $3)`;

/** Lists show public tracks that did not fail, and the reader's own. */
const LISTED = "(t.sharing = 'public' and t.state <> 'failed' or t.user_id = $3)";
const READABLE = `(t.sharing = 'public' or t.user_id = $3 or ${SHARED})`;

const USER_COLUMNS = ["id", "permalink", "username", "avatar_version", "updated_at"];
const USER = (alias: string) =>
  USER_COLUMNS.map((column) => `${alias}.${column} as ${alias}_${column}`).join();

const SUM = (counter: string) => `sum(delta) filter (where counter = '${counter}')::bigint as ${counter}`;
const COUNTERS = ["comment_count", "download_count", "playback_count", "favoritings_count", "reposts_count"];

/** `from` leads to tracks and owners, in the order of `place`. `$5` is the country. */
const tracksOf = (place: string, from: string) => `
with ${CALLER}, page as (select t.*, ${USER("o")}, ${place} as place from ${from}), pending as (
  select subject_id, ${COUNTERS.map(SUM).join()} from counter_deltas
  where kind = 'track' and subject_id in (select id from page) group by subject_id)
select t.id, t.user_id, t.updated_at, t.title, t.permalink, t.artist, t.description, t.genre, t.tag_list, t.track_type, t.license,
  t.label_id, t.label_name, t.release, t.release_day, t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature,
  t.purchase_url, t.purchase_title, t.video_url, t.sharing, t.embeddable_by, t.streamable, t.downloadable, t.commentable,
  t.reveal_comments, t.reveal_stats, t.available_country_codes, t.state, t.original_format, t.original_content_size,
  t.duration_ms, t.media_prefix, t.media->'loudness' as loudness,
  ${COUNTERS.map((name) => `t.${name} + coalesce(d.${name}, 0) as ${name}`).join()},
  case when t.taken_down_at is null then t.artwork_version end as artwork_version,
  case when t.taken_down_at is not null then 'blocked'
    when t.user_id = c.user_id then 'playable'
    when not t.streamable or t.available_country_codes is not null
      and ($5::text = any (t.available_country_codes)) is not true then 'blocked'
    when t.paywall is not null and not c.paying then t.paywall
    else 'playable' end as access,
  t.user_id = c.user_id as owned,
  case when c.user_id is not null then f.track_id is not null end as user_favorite,
  case when c.user_id is not null then coalesce(y.plays, 0) end as user_playback_count,
  case when t.user_id = c.user_id then t.paywall end as paywall,
  case when t.sharing = 'private' then encode(t.secret_hash, 'hex') end as secret_hash,
  case when t.user_id = c.user_id then encode(t.secret_sealed, 'base64') end as secret_sealed,
  case when t.user_id = c.user_id then (select json_build_object('progress', j.progress,
    'segments_ready', j.segments_ready, 'failure_reason', j.failure_reason, 'attempt', j.attempt, 'started_at', j.started_at,
    'finished_at', j.finished_at, 'warnings', coalesce(t.media->'warnings', '[]'))
    from encoding_jobs j where j.track_id = t.id) end as encoding,
  case when t.user_id = c.user_id and t.taken_down_at is not null then (
    select json_build_object('reason', k.reason, 'created_at', k.created_at) from takedowns k where k.track_id = t.id)
    end as takedown,
  ${USER_COLUMNS.map((column) => `t.o_${column}`).join()}, ${USER("l")}, a.id as a_id, a.name as a_name, a.permalink as a_permalink, a.external_url as a_url
from caller c
left join page t on true
left join users l on l.id = t.label_id and l.disabled_at is null
left join apps a on a.id = t.app_id and not a.first_party and a.disabled_at is null
left join favorites f on f.user_id = c.user_id and f.track_id = t.id
left join user_plays y on y.user_id = c.user_id and y.track_id = t.id
left join pending d on d.subject_id = t.id
order by t.place`;

export const TRACK = tracksOf("0", `${OWNED} where t.id = $4 and ${READABLE}`);

export const TRACKS_BY_ID = tracksOf("-t.id", `${OWNED} where t.id = any ($4::bigint[]) and ${LISTED}`);

export const NEWEST = tracksOf("-t.id", `${OWNED} where ${LISTED} order by t.id desc limit $4`);

/** Tracks of the playlist that the reader may see. */
export const ENTRIES = tracksOf(
  "e.position",
  `${OWNED} join playlist_tracks e on e.track_id = t.id
    where e.playlist_id = $4 and ${READABLE} and (t.state <> 'failed' or t.user_id = $3)`,
);

export const PLAYLIST = `
with ${CALLER}
select p.id, p.user_id, p.updated_at, p.title, p.permalink, p.description, p.genre, p.tag_list, p.playlist_type, p.license,
  p.label_id, p.label_name, p.release, p.release_day, p.release_month, p.release_year, p.ean, p.purchase_url, p.purchase_title,
  p.artwork_version, p.sharing, p.embeddable_by,
  case when p.user_id = c.user_id then encode(p.secret_sealed, 'base64') end as secret_sealed,
  p.favoritings_count + coalesce(d.favoritings_count, 0) as favoritings_count,
  p.reposts_count + coalesce(d.reposts_count, 0) as reposts_count, ${USER("o")}, ${USER("l")}
from caller c
left join (playlists p join users o on o.id = p.user_id and o.disabled_at is null)
  on p.id = $4 and (p.sharing = 'public' or p.user_id = $3)
left join users l on l.id = p.label_id and l.disabled_at is null
left join lateral (select ${SUM("favoritings_count")}, ${SUM("reposts_count")} from counter_deltas
  where subject_id = p.id and kind = 'playlist') d on true`;

const SEEN = `seen as (select t.id from ${OWNED} where t.id = $4 and ${READABLE})`;

export const LIKE = `
with ${CALLER}, ${SEEN}, made as (
  insert into favorites (user_id, track_id) select c.user_id, s.id from caller c, seen s on conflict do nothing)
select s.id from caller left join seen s on true`;

/** Takes the like even off a track that the reader no longer sees. */
export const UNLIKE = `
with ${CALLER}, ${SEEN}, gone as (
  delete from favorites f using caller c where f.user_id = c.user_id and f.track_id = $4 returning f.track_id as id)
select s.id from caller left join (select id from seen union select id from gone) s on true`;
