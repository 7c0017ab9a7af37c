import { type SQL, sql } from "drizzle-orm";
import { type Choice, choiceOf } from "../stored-select.ts";

/** End of a page of a list. In a ranking, `low` and `high` bound the ranked range. */
export interface ListPosition {
  /** Place in the list's order. */
  id: number;
  rank?: number | null;
  low?: number;
  high?: number | null;
}

export interface ListPage extends Partial<ListPosition> {
  limit: number;
  offset: number;
}

/** The position after a row. */
export type Place = { place: number; rank: number | null; low: number | null; high: number | null };

export const positionOf = ({ place, rank, low, high }: Place): ListPosition => ({
  id: place,
  ...(rank !== null && { rank }),
  ...(low !== null && { low }),
  ...(high !== null && { high }),
});

export interface Matches {
  /** A common table expression that `first` needs, if any. */
  given: SQL | undefined;
  /** Selects the first matches that fit a condition on `place`, with their documents. */
  first: (limit: SQL | number, fits?: SQL) => SQL;
}

/** How the matches of a search are ranked. */
interface Ranking {
  words: SQL;
  /** Whether the name of a row of `newest` is exactly the search. */
  isNamed: SQL;
  /** The number of the newest matches that are ranked. */
  most: SQL;
}

/** Chooses a page of matches and one more, best first if there is a ranking. */
export function choosePage(
  matches: Matches,
  ranking: Ranking | undefined,
  page: ListPage,
  ascending = false,
): Choice<Place> {
  const isRanked = ranking && (page.low === undefined || page.rank !== undefined);
  const statement = isRanked ? best(matches, ranking, page) : inOrder(matches, page, ascending);
  return choiceOf(statement, ["place", "rank", "low", "high"]);
}

function inOrder({ given, first }: Matches, page: ListPage, ascending: boolean): SQL {
  const { id, low, high, limit, offset } = page;
  const beyond = id === undefined ? undefined : ascending ? sql`place > ${id}` : sql`place < ${id}`;
  return sql`${given ? sql`with ${given}` : sql``} select id, place, null, ${low ?? null}::bigint, ${high ?? null}::bigint
    from (${first(sql`${limit + offset + 1}`, beyond)}) page
    order by place ${sql.raw(ascending ? "asc" : "desc")} limit ${limit + 1} offset ${offset}`;
}

/**
 * Orders the newest matches by rank, then the older ones. A match with all words whole in its title or names ranks
 * first: `ts_rank` alone would prefer `Category Catalog` for `cat`, and a description with all words over a long
 * title and its artist.
 */
function best({ given, first }: Matches, { words, isNamed, most }: Ranking, page: ListPage): SQL {
  const { id, rank, low, high, limit, offset } = page;
  const asked = limit + offset + 1;
  const within = low === undefined ? undefined : sql`place between ${low} and ${high ?? 0}`;
  const ends =
    low === undefined
      ? sql`select case when count(*) = ${most} then min(place) else 0 end as low, max(place) as high from newest`
      : sql`select ${low}::bigint as low, ${high ?? null}::bigint as high`;
  return sql`with ${given},
    newest as materialized (${first(sql`(${most})`, within)}),
    ends as materialized (${ends}),
    best as materialized (
      select id, place, rank from (
        select newest.id, place, (ts_rank(document, ${words})
          + case when document @@ whole_in_names(${words}) then 5 else 0 end
          + case when ${isNamed} then 10 else 0 end)::real as rank
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
