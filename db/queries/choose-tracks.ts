import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Choice, choiceOf } from "../kept.ts";
import { favorites } from "../schema/favorites.ts";
import { reposts } from "../schema/reposts.ts";
import { trackDocuments as documents } from "../schema/search.ts";
import { tracks } from "../schema/tracks.ts";
import {
  documentQuery,
  fitting,
  type ListReader,
  matchBoth,
  type TrackFilter,
  wordsOf,
} from "./track-filters.ts";

/** End of a page of a list. In a ranking, `low` and `high` bound the ranked range. */
export interface TrackPosition {
  /** Place in the list's order. */
  id: number;
  rank?: number | null;
  low?: number;
  high?: number | null;
}

export interface TrackPage extends Partial<TrackPosition> {
  limit: number;
  offset: number;
  ascending: boolean;
  /** Sorts the best match first, if the filter has words. */
  ranked: boolean;
}

/** Bounds what a common word costs: its matches are walked from the newest, and fewer of them ranked. */
const COMMON = 4000;
const RANKED = 1000;
const RANKED_OF_COMMON = 200;

/** Where a list comes from, and the ids that order it. */
interface Source {
  from: SQL;
  place: SQL;
  whose: SQL | undefined;
}

/** An owner's tracks are ordered by publication, favorites and reposts by the time of the mark. */
function sourceOf({ owner, favored_by, reposted_by }: TrackFilter): Source {
  const marked = (marks: typeof favorites | typeof reposts, userId: number) => ({
    from: sql`${marks} join ${documents} on ${documents.id} = ${marks.trackId}`,
    place: sql`${marks.id}`,
    whose: eq(marks.userId, userId),
  });
  if (favored_by !== undefined) return marked(favorites, favored_by);
  if (reposted_by !== undefined) return marked(reposts, reposted_by);
  if (owner === undefined) return { from: sql`${documents}`, place: sql`${documents.id}`, whose: undefined };
  const from = sql`${tracks} join ${documents} on ${documents.id} = ${tracks.id}`;
  return { from, place: sql`${tracks.publishedId}`, whose: eq(tracks.userId, owner) };
}

/** Chooses a page of tracks and one more. */
export function chooseTracks(
  filter: TrackFilter,
  page: TrackPage,
  reader: ListReader,
): Choice<{ place: number; rank: number | null; low: number | null; high: number | null }> {
  const words = wordsOf(filter);
  const isRanked = page.ranked && words && (page.low === undefined || page.rank !== undefined);
  const matches = matchesOf(filter, page.ascending, reader);
  const statement = isRanked ? ranked(matches, filter, words, page) : inOrder(matches, page);
  return choiceOf(statement, ["place", "rank", "low", "high"]);
}

export interface Matches {
  /** A common table expression that `first` needs, if any. */
  given: SQL | undefined;
  /** Selects the first matches that fit a condition on `place`, with their documents. */
  first: (limit: SQL | number, fits?: SQL) => SQL;
  /** True if the matches are too many to be sorted. */
  areCommon: SQL;
}

/** Composes the search of tracks that fit a filter, and whose documents match `shared` if it is given. */
export function matchesOf(
  filter: TrackFilter,
  ascending: boolean,
  reader: ListReader,
  shared?: SQL,
): Matches {
  const { from, place, whose } = sourceOf(filter);
  const query = matchBoth(shared, documentQuery(filter, reader));
  const direction = sql.raw(ascending ? "asc" : "desc");
  const select = (...conditions: (SQL | undefined)[]) =>
    sql`select ${documents.id} as id, ${place} as place, ${documents.document} as document from ${from}
      where ${and(...fitting(filter, reader), whose, ...conditions)}`;
  const ordered = (limit: SQL | number) => sql`order by place ${direction} limit ${limit}`;
  if (!query) {
    const first: Matches["first"] = (limit, fits) =>
      sql`select * from (${select()}) matches where ${fits ?? sql`true`} ${ordered(limit)}`;
    return { given: undefined, first, areCommon: sql`false` };
  }
  const areCommon = sql`(select count(*) from few) = ${sql.raw(String(COMMON))}`;
  return {
    given: sql`few as materialized (${select(sql`${documents.document} @@ ${query}`)} limit ${sql.raw(String(COMMON))})`,
    // PostgreSQL skips the part that does not apply. Called by name, the operator uses no index, so the other part walks.
    first: (
      limit,
      fits = sql`true`,
    ) => sql`(select * from few where not ${areCommon} and ${fits} ${ordered(limit)})
      union all (select * from (${select(areCommon, sql`ts_match_vq(${documents.document}, ${query})`)}) walked
        where ${fits} ${ordered(limit)})`,
    areCommon,
  };
}

function inOrder({ given, first }: Matches, { id, low, high, limit, offset, ascending }: TrackPage): SQL {
  const beyond = id === undefined ? undefined : ascending ? sql`place > ${id}` : sql`place < ${id}`;
  return sql`${given ? sql`with ${given}` : sql``} select id, place, null, ${low ?? null}::bigint, ${high ?? null}::bigint
    from (${first(sql`${limit + offset + 1}`, beyond)}) page
    order by place ${sql.raw(ascending ? "asc" : "desc")} limit ${limit + 1} offset ${offset}`;
}

/** The newest matches, best first, and then the older ones in order. */
function ranked({ given, first, areCommon }: Matches, filter: TrackFilter, words: SQL, page: TrackPage): SQL {
  const { id, rank, low, high, limit, offset } = page;
  const asked = limit + offset + 1;
  const most = sql`case when ${areCommon} then ${sql.raw(String(RANKED_OF_COMMON))} else ${sql.raw(String(RANKED))} end`;
  const within = low === undefined ? undefined : sql`place between ${low} and ${high ?? 0}`;
  const ends =
    low === undefined
      ? sql`select case when count(*) = ${most} then min(place) else 0 end as low, max(place) as high from newest`
      : sql`select ${low}::bigint as low, ${high ?? null}::bigint as high`;
  const title = sql`select ${tracks.title} from ${tracks} where ${tracks.id} = newest.id`;
  const name = sql`searched_name(${JSON.stringify(filter)}::jsonb)`;
  return sql`with ${given},
    newest as materialized (${first(sql`(${most})`, within)}),
    ends as materialized (${ends}),
    best as materialized (
      select id, place, rank from (
        select newest.id, place, (search_rank(document, ${words}, whole_in_names(${words}))
          + case when is_named((${title}), ${name}) then 10 else 0 end)::real as rank
        from newest) all_ranked
      where ${rank === undefined ? sql`true` : sql`(rank, place) < (${rank}::real, ${id}::bigint)`}
      order by rank desc, place desc limit ${asked}),
    older as materialized (${first(
      sql`${asked}`,
      sql`(select count(*) from best) < ${asked} and place < (select low from ends)`,
    )})
    select id, place, rank, low, high
    from (select id, place, rank from best union all select id, place, null from older) page, ends
    order by rank is null, rank desc, place desc limit ${limit + 1} offset ${offset}`;
}
