import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { counterDeltas } from "../schema/counters.ts";
import { playlistInsights, trackInsights, userInsights } from "../schema/insights.ts";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { firstRow, type SignedIn, signedIn } from "./caller.ts";
import {
  type BreakdownRow,
  breakdownOf,
  type Dimension,
  listenersOver,
  listenersOverall,
} from "./insights-by.ts";
import type { Range, Subject } from "./insights-range.ts";
import { isListedPlaylist, openingOf, seesTrack } from "./visibility.ts";

export const COUNTS = ["plays", "downloads", "likes", "reposts", "comments", "followers"] as const;
export type Counts = Record<(typeof COUNTS)[number], number>;

export interface InsightsRow {
  /** Null for all tracks of a user. */
  title: string | null;
  permalink: string | null;
  owner: string | null;
  /** Periods without any change are left out. `at` is in seconds since 1970. */
  periods: ({ at: number } & Counts)[];
  /** Listeners of each period, but for hours. */
  listened: { at: number; listeners: number }[];
  listeners: number;
  /** The counters as they stand now, and the part of them that has no hour. */
  now: Counts;
  before: Counts;
  by: Partial<Record<Dimension, BreakdownRow[]>>;
}

const list = (columns: (name: (typeof COUNTS)[number]) => SQL) => sql.join(COUNTS.map(columns), sql`, `);
const name = (count: string) => sql.identifier(count);
const object = (value: (count: (typeof COUNTS)[number]) => SQL) =>
  sql`json_build_object(${list((count) => sql`${sql.raw(`'${count}'`)}, ${value(count)}`)})`;

/** Counters of tracks and users, by the names of insights. */
const COUNTERS = {
  playback_count: "plays",
  download_count: "downloads",
  favoritings_count: "likes",
  reposts_count: "reposts",
  comment_count: "comments",
  followers_count: "followers",
} as const;

const countOf = sql`case counter ${sql.join(
  Object.entries(COUNTERS).map(([counter, count]) => sql.raw(`when '${counter}' then '${count}'`)),
  sql` `,
)} end`;

/** The subject and whether it is the caller's. `users` is joined as the owner. */
function subjectOf(subject: Subject, caller: SignedIn): SQL {
  if (subject.kind === "me")
    return sql`select null as title, null as permalink, null as owner, true as is_own where ${signedIn(caller)}`;
  const of = subject.kind === "track" ? tracks : playlists;
  const seen =
    subject.kind === "track" ? seesTrack(openingOf(caller.userId)) : isListedPlaylist(caller.userId);
  return sql`select ${of.title} as title, ${of.permalink} as permalink, ${users.permalink} as owner,
      ${of.userId} = ${caller.userId} as is_own from ${of}
    join ${users} on ${eq(users.id, of.userId)} where ${and(signedIn(caller), eq(of.id, subject.id), seen)}`;
}

function tracksOf(subject: Subject, caller: SignedIn): SQL {
  const own = eq(tracks.userId, caller.userId);
  if (subject.kind === "me") return sql`select ${tracks.id} as id from ${tracks} where ${own}`;
  if (subject.kind === "track")
    return sql`select ${tracks.id} as id from ${tracks} where ${and(own, eq(tracks.id, subject.id))}`;
  return sql`select distinct ${tracks.id} as id from ${playlistTracks} join ${tracks} on ${eq(tracks.id, playlistTracks.trackId)}
    where ${and(own, eq(playlistTracks.playlistId, subject.id))}`;
}

/** Likes and reposts are those of the playlist itself, everything else is that of its tracks. */
const ofPlaylist = (count: string) => count === "likes" || count === "reposts";

/** Rows of one grain, with the counts and `at`. */
function rowsOf(subject: Subject, caller: SignedIn, grain: SQL): SQL {
  const counts = list((count) => name(count) as unknown as SQL);
  if (subject.kind === "me")
    return sql`select started_at as at, ${counts} from ${userInsights}
      where user_id = ${caller.userId} and grain = ${grain}`;
  if (subject.kind === "track")
    return sql`select started_at as at, ${counts} from ${trackInsights}
      where track_id = ${subject.id} and grain = ${grain}`;
  return sql`select started_at as at, ${counts} from ${playlistInsights}
      where playlist_id = ${subject.id} and grain = ${grain}
    union all select started_at, ${list((count) => (ofPlaylist(count) ? sql`0` : sql`${name(count)}`))}
      from ${trackInsights} where track_id = any (array(select id from own_tracks)) and grain = ${grain}`;
}

/** Pending changes: what the sweep has yet to add to counters and insights alike. */
function pendingOf(subject: Subject, caller: SignedIn): SQL {
  const of = (kind: string, ids: SQL, counters: string[]) => sql`select hour, ${list(
    (count) => sql`case ${countOf} when ${sql.raw(`'${count}'`)} then delta else 0 end as ${name(count)}`,
  )} from ${counterDeltas} where kind = ${sql.raw(`'${kind}'`)} and subject_id = any (${ids})
    and ${inArray(counterDeltas.counter, counters)}`;
  const own = sql`array(select id from own_tracks)`;
  const counters = Object.keys(COUNTERS).filter((counter) => counter !== "followers_count");
  if (subject.kind === "track") return of("track", own, counters);
  if (subject.kind === "me")
    return sql`${of("track", own, counters)} union all ${of("user", sql`array[${caller.userId}::bigint]`, ["followers_count"])}`;
  const [likes, others] = [
    ["favoritings_count", "reposts_count"],
    ["playback_count", "download_count", "comment_count"],
  ];
  return sql`${of("track", own, others)} union all ${of("playlist", sql`array[${subject.id}::bigint]`, likes)}`;
}

/** The counters without pending changes. */
function storedOf(subject: Subject, caller: SignedIn): SQL {
  const sums = sql`select coalesce(sum(playback_count), 0) as plays, coalesce(sum(download_count), 0) as downloads,
    coalesce(sum(favoritings_count), 0) as likes, coalesce(sum(reposts_count), 0) as reposts,
    coalesce(sum(comment_count), 0) as comments, 0 as followers from ${tracks} where id in (select id from own_tracks)`;
  if (subject.kind === "track") return sums;
  if (subject.kind === "me")
    return sql`select plays, downloads, likes, reposts, comments, (select followers_count from ${users}
      where id = ${caller.userId}) as followers from (${sums}) s`;
  return sql`select plays, downloads, p.favoritings_count as likes, p.reposts_count as reposts, comments, 0 as followers
    from (${sums}) s, ${playlists} p where p.id = ${subject.id}`;
}

const sumOf = (count: string, from: string) =>
  sql`coalesce((select sum(${name(count)}) from ${sql.raw(from)}), 0)`;

/** Reads everything about one range. Undefined if the caller sees no such subject. */
export async function findInsights(
  db: Database,
  caller: SignedIn,
  subject: Subject,
  { by, ...range }: Range & { by: readonly Dimension[] },
): Promise<{ outcome: "done"; insights: InsightsRow } | { outcome: "unknown" | "not_yours" }> {
  const { from, to, interval } = range;
  const grain = sql`${interval}::text`;
  const isWithin = (at: SQL) => sql`${at} >= ${from}::timestamptz and ${at} < ${to}::timestamptz`;
  const found = await db
    .read<{ is_own: boolean; insights: InsightsRow | null }>(sql`
      with subject as materialized (${subjectOf(subject, caller)}),
      own_tracks as materialized (${tracksOf(subject, caller)}),
      pending as materialized (${pendingOf(subject, caller)}),
      stored as materialized (${storedOf(subject, caller)}),
      months as materialized (${rowsOf(subject, caller, sql`'month'`)}),
      periods as (
        select at, ${list((count) => sql`sum(${name(count)}) as ${name(count)}`)} from (
          select * from (${rowsOf(subject, caller, grain)}) r where ${isWithin(sql`at`)}
          union all select date_trunc(${grain}, hour, 'UTC'), ${list((count) => sql`${name(count)}`)} from pending
          where ${isWithin(sql`hour`)}) r group by at)
      select is_own, case when is_own then json_build_object(
        'title', title, 'permalink', permalink, 'owner', owner,
        'periods', (select coalesce(json_agg(json_build_object('at', extract(epoch from at),
          ${list((count) => sql`${sql.raw(`'${count}'`)}, ${name(count)}`)}) order by at), '[]') from periods),
        'listened', ${listenersOver(subject, caller, range)},
        'listeners', ${listenersOverall(subject, caller, range)},
        'now', ${object((count) => sql`(select ${name(count)} from stored) + ${sumOf(count, "pending")}`)},
        'before', ${object((count) => sql`(select ${name(count)} from stored) - ${sumOf(count, "months")}`)},
        'by', json_build_object(${sql.join(
          by.map(
            (dimension) =>
              sql`${sql.raw(`'${dimension}'`)}, ${breakdownOf(dimension, subject, caller, range)}`,
          ),
          sql`, `,
        )})) end as insights
      from subject`)
    .then(firstRow);
  if (!found) return { outcome: "unknown" };
  return found.insights ? { outcome: "done", insights: found.insights } : { outcome: "not_yours" };
}
