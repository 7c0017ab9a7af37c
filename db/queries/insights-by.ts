import { type SQL, sql } from "drizzle-orm";
import { counterDeltas } from "../schema/counters.ts";
import { pendingPlays, trackBreakdowns, trackInsights, userBreakdowns } from "../schema/insights.ts";
import { apps } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import type { SignedIn } from "./caller.ts";
import type { Range, Subject } from "./insights-range.ts";
import { FEWEST_LISTENERS } from "./insights-roll-up.ts";

export type Dimension = "country" | "app" | "referrer" | "quarter" | "track";

/** A part of the plays. `value` is "" for what is unknown or rare. */
export interface BreakdownRow {
  value: string;
  /** The name of an app or a track. */
  name?: string | null;
  plays: number;
  /** By track only. */
  likes?: number;
  downloads?: number;
}

/** The most played tracks are listed. */
const TRACKS_AT_MOST = 100;

/** The whole months of a range, and the days before and after them. Their rows, added up, are the range. */
function partsOf({ from, to, interval }: Range): { grain: "day" | "month"; from: string; to: string }[] {
  if (interval === "month") return [{ grain: "month", from, to }];
  const [begin, end] = [new Date(from), new Date(to)];
  const first = new Date(
    Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + (begin.getUTCDate() > 1 ? 1 : 0)),
  );
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth()));
  if (first >= last) return [{ grain: "day", from, to }];
  return [
    { grain: "day" as const, from, to: first.toISOString() },
    { grain: "month" as const, from: first.toISOString(), to: last.toISOString() },
    { grain: "day" as const, from: last.toISOString(), to },
  ].filter((part) => part.from < part.to);
}

const isWithin = (at: SQL, { from, to }: Pick<Range, "from" | "to">) =>
  sql`${at} >= ${from}::timestamptz and ${at} < ${to}::timestamptz`;

const OWN = sql`any (array(select id from own_tracks))`;

/** Breakdowns of the subject's tracks, and which of their rows are theirs. */
const breakdownsOf = (
  subject: Subject,
  caller: SignedIn,
): [typeof userBreakdowns | typeof trackBreakdowns, SQL] =>
  subject.kind === "me"
    ? [userBreakdowns, sql`user_id = ${caller.userId}`]
    : [trackBreakdowns, sql`track_id = ${OWN}`];

/** Rows of breakdowns whose sum is the range. Each part is a scan of the primary key. */
function rowsOf(subject: Subject, caller: SignedIn, dimension: string, range: Range): SQL {
  const [table, isTheirs] = breakdownsOf(subject, caller);
  return sql.join(
    partsOf(range).map(
      (part) => sql`select value, plays, listeners from ${table} where ${isTheirs}
        and dimension = ${sql.raw(`'${dimension}'`)} and grain = ${sql.raw(`'${part.grain}'`)} and ${isWithin(sql`started_at`, part)}`,
    ),
    sql` union all `,
  );
}

/** Listeners of each period. Hours have none. */
export function listenersOver(subject: Subject, caller: SignedIn, { from, to, interval }: Range): SQL {
  if (interval === "hour") return sql`'[]'::json`;
  const [table, isTheirs] = breakdownsOf(subject, caller);
  const where = sql`${isTheirs} and dimension = 'all'
    and grain = ${sql.raw(`'${interval}'`)} and ${isWithin(sql`started_at`, { from, to })}`;
  // The tracks of a playlist share listeners. Uniting them day by day needs little memory at a time.
  const periods =
    subject.kind === "playlist"
      ? sql`select started_at, estimate_listeners(array(select max(c) from ${table} t, unnest(t.listeners) c
            where ${where} and t.started_at = p.started_at group by c / 32)) as listener_count
          from (select distinct started_at from ${table} where ${where}) p`
      : sql`select started_at, listener_count from ${table} where ${where}`;
  return sql`(select coalesce(json_agg(json_build_object('at', extract(epoch from started_at),
    'listeners', listener_count) order by started_at), '[]') from (${periods}) p)`;
}

/** Listeners of the whole range. One who listened on several days is one. */
export const listenersOverall = (subject: Subject, caller: SignedIn, range: Range): SQL =>
  sql`(select estimate_listeners(array_agg(code)) from (select max(c) as code
    from (${rowsOf(subject, caller, "all", range)}) b, unnest(listeners) c group by c / 32) r)`;

/** Plays by a dimension, the most first. */
export const breakdownOf = (dimension: Dimension, subject: Subject, caller: SignedIn, range: Range): SQL =>
  dimension === "track" ? byTrack(range) : byValue(dimension, subject, caller, range);

function byValue(
  dimension: Exclude<Dimension, "track">,
  subject: Subject,
  caller: SignedIn,
  range: Range,
): SQL {
  const pending = sql`select coalesce(${sql.raw(dimension)}::text, ''), 1,
      array_remove(array[listener], null) from ${pendingPlays} where track_id = ${OWN}
      and ${isWithin(sql`hour`, range)} and ${dimension === "quarter" ? sql`quarter is not null` : sql`quarter is null`}`;
  const counted = sql`select value, sum(x.plays) as plays, count(distinct x.code) as listeners
    from (${rowsOf(subject, caller, dimension, range)} union all ${pending}) r,
      lateral (select r.plays, null::smallint as code union all select 0, unnest(r.listeners)) x
    group by value`;
  const named =
    dimension === "country"
      ? sql`case when listeners >= ${sql.raw(String(FEWEST_LISTENERS))} then value else '' end`
      : sql`value`;
  const nameOf = dimension === "app" ? sql`(select name from ${apps} where client_id = value)` : sql`null`;
  return sql`(select coalesce(json_agg(json_build_object('value', value, 'name', ${nameOf}, 'plays', plays)
    order by plays desc, value), '[]') from (select ${named} as value, sum(plays) as plays from (${counted}) c
    group by 1 having sum(plays) <> 0) v)`;
}

function byTrack(range: Range): SQL {
  const rows = sql.join(
    partsOf(range).map(
      (part) => sql`select track_id, plays, likes, downloads from ${trackInsights} where track_id = ${OWN}
        and grain = ${sql.raw(`'${part.grain}'`)} and ${isWithin(sql`started_at`, part)}`,
    ),
    sql` union all `,
  );
  const pending = sql`select subject_id, case counter when 'playback_count' then delta else 0 end,
      case counter when 'favoritings_count' then delta else 0 end, case counter when 'download_count' then delta else 0 end
    from ${counterDeltas} where kind = 'track' and subject_id = ${OWN} and ${isWithin(sql`hour`, range)}`;
  return sql`(select coalesce(json_agg(json_build_object('value', s.track_id::text, 'name', t.title, 'plays', s.plays,
    'likes', s.likes, 'downloads', s.downloads) order by s.plays desc, s.track_id desc), '[]')
    from (select track_id, sum(plays) as plays, sum(likes) as likes, sum(downloads) as downloads
      from (${rows} union all ${pending}) r group by track_id order by 2 desc, 1 desc limit ${sql.raw(String(TRACKS_AT_MOST))}) s
    join ${tracks} t on t.id = s.track_id)`;
}
