import { and, eq, type SQL, sql } from "drizzle-orm";
import { credits } from "../schema/credits.ts";
import { favorites } from "../schema/favorites.ts";
import { reposts } from "../schema/reposts.ts";
import { trackDocuments as documents } from "../schema/search.ts";
import { tracks } from "../schema/tracks.ts";
import { choosePage, type ListPage, type ListPosition, type Matches } from "./choose-matches.ts";
import { forgive } from "./forgiving.ts";
import {
  documentQuery,
  fitting,
  isNamed,
  type ListReader,
  matchBoth,
  type TrackFilter,
  wordsOf,
} from "./track-filters.ts";

export type TrackPosition = ListPosition;

export interface TrackPage extends ListPage {
  ascending: boolean;
  /** Sorts the best match first, if the filter has words. */
  ranked: boolean;
}

/** Bounds what a common word costs: its matches are walked from the newest, and fewer of them ranked. */
const COMMON = 4000;
const RANKED = 1000;
const RANKED_OF_COMMON = 200;

/** The origin of a list, and the ids that order it. */
interface Source {
  from: SQL;
  place: SQL;
  whose: SQL | undefined;
}

/** An owner's tracks are ordered by publication, favorites and reposts by their own time. */
function sourceOf({ owner, favored_by, reposted_by, credited }: TrackFilter): Source {
  const sourceIn = (table: typeof favorites | typeof reposts | typeof credits, userId: number) => ({
    from: sql`${table} join ${documents} on ${documents.id} = ${table.trackId}`,
    place: sql`${table.id}`,
    whose: eq(table.userId, userId),
  });
  if (favored_by !== undefined) return sourceIn(favorites, favored_by);
  if (reposted_by !== undefined) return sourceIn(reposts, reposted_by);
  if (credited !== undefined) {
    const { whose, ...source } = sourceIn(credits, credited);
    return { ...source, whose: and(whose, eq(credits.state, "accepted")) };
  }
  if (owner === undefined) return { from: sql`${documents}`, place: sql`${documents.id}`, whose: undefined };
  const from = sql`${tracks} join ${documents} on ${documents.id} = ${tracks.id}`;
  return { from, place: sql`${tracks.publishedId}`, whose: eq(tracks.userId, owner) };
}

/** Chooses a page of tracks and one more. */
export const chooseTracks = (filter: TrackFilter, page: TrackPage, reader: ListReader) =>
  forgive({ kind: "tracks", filter, page }, (asked) => chooseTyped(asked, page, reader));

function chooseTyped(filter: TrackFilter, page: TrackPage, reader: ListReader) {
  const words = wordsOf(filter);
  const isRanked = page.ranked && words !== undefined;
  const matches = matchesOf(filter, page.ascending, reader, { documents: isRanked });
  const { areCommon } = matches;
  const most = sql`case when ${areCommon} then ${sql.raw(String(RANKED_OF_COMMON))} else ${sql.raw(String(RANKED))} end`;
  const named = sql`exists (select from ${tracks} where ${tracks.id} = newest.id and ${isNamed(tracks.title, filter)})`;
  const ranking = isRanked ? { words, isNamed: named, most } : undefined;
  return choosePage(matches, ranking, page, page.ascending);
}

interface TrackMatches extends Matches {
  /** True if the matches are too many to be sorted. */
  areCommon: SQL;
}

interface Searched {
  /** Whether the matches bring their documents. Copying thousands takes as long as finding them. */
  documents: boolean;
  /** A query that their documents must match, besides the filter. */
  shared?: SQL;
}

/** Composes the search of tracks that fit a filter. */
export function matchesOf(
  filter: TrackFilter,
  ascending: boolean,
  reader: ListReader,
  { documents: brought, shared }: Searched,
): TrackMatches {
  const { from, place, whose } = sourceOf(filter);
  const query = matchBoth(shared, documentQuery(filter, reader));
  const direction = sql.raw(ascending ? "asc" : "desc");
  const select = (...conditions: (SQL | undefined)[]) =>
    sql`select ${documents.id} as id, ${place} as place${brought ? sql`, ${documents.document} as document` : sql``} from ${from}
      where ${and(...fitting(filter, reader), whose, ...conditions)}`;
  const ordered = (limit: SQL | number) => sql`order by place ${direction} limit ${limit}`;
  if (!query) {
    const first: Matches["first"] = (limit, fits) =>
      sql`select * from (${select()}) matches where ${fits ?? sql`true`} ${ordered(limit)}`;
    return { given: undefined, first, areCommon: sql`false` };
  }
  const areCommon = sql`(select many from met)`;
  return {
    given: sql`few as materialized (${select(sql`${documents.document} @@ ${query}`)} limit ${sql.raw(String(COMMON))}),
      met as materialized (select count(*) = ${sql.raw(String(COMMON))} as many from few)`,
    // PostgreSQL skips the branch that does not apply. The function form of the operator uses no index, so the other
    // branch walks the list.
    first: (
      limit,
      fits = sql`true`,
    ) => sql`(select * from few where not ${areCommon} and ${fits} ${ordered(limit)})
      union all (select * from (${select(areCommon, sql`ts_match_vq(${documents.document}, ${query})`)}) walked
        where ${fits} ${ordered(limit)})`,
    areCommon,
  };
}
