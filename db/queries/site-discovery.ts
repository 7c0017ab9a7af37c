import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { tracks } from "../schema/tracks.ts";
import { choiceOf } from "../stored-select.ts";
import type { Caller } from "./caller.ts";
import { matchesOf } from "./choose-tracks.ts";
import { showTracks } from "./show-tracks.ts";
import { rowsFor } from "./site-lists.ts";

/** Number of newest tracks to examine. */
const LATEST = 500;

/** Number of genres to name. */
const GENRES = 24;

interface DiscoveryQuery {
  country: string | undefined;
  /** Default: all. */
  genre: string | undefined;
  /** Most tracks of each list. */
  newest: number;
  popular: number;
}

/** Finds the newest tracks, and the most popular of the latest. Only those that play for everybody appear. */
export async function discoverTracks(
  db: Database,
  caller: Caller,
  { country, genre, newest, popular }: DiscoveryQuery,
) {
  const everybody = { userId: null, country: undefined };
  const filter = { genres: genre === undefined ? undefined : [genre] };
  const matches = matchesOf(filter, false, everybody, { documents: false });
  // A hidden count ranks nobody.
  const heard = sql`select ${tracks.id}, ${tracks.genre}, case when ${tracks.revealStats}
      then ${tracks.playbackCount} + 5 * ${tracks.favoritingsCount} else 0 end as weight
    from (${matches.first(LATEST)}) latest join ${tracks} on ${tracks.id} = latest.id
    where ${tracks.state} = 'finished' and ${tracks.streamable} and ${tracks.availableCountryCodes} is null and ${tracks.paywall} is null`;
  const given = sql`with ${matches.given ? sql`${matches.given},` : sql``} heard as materialized (${heard})`;
  const places = sql`select id, weight, row_number() over (order by id desc) as newest,
    row_number() over (order by weight desc, id desc) as popular from heard`;
  const named = sql`select min(genre) from heard where genre <> '' group by lower(genre)
    order by count(*) desc, lower(genre) limit ${GENRES}`;
  // The newest track brings the genres.
  const choice = choiceOf<{ newest: number | null; popular: number | null; genres: string[] | null }>(
    sql`${given} select id, case when newest <= ${newest} then newest end, case when popular <= ${popular} and weight > 0 then popular end,
        case when newest = 1 then array(${named}) end
      from (${places}) places where newest <= ${newest} or popular <= ${popular} and weight > 0`,
    ["newest", "popular", "genres"],
  );
  const rows = await db.read(
    showTracks.chosenBy(choice, rowsFor(caller, { secretHash: undefined, country })),
  );
  return {
    newest: inOrder(rows, (row) => row.newest),
    popular: inOrder(rows, (row) => row.popular),
    genres: rows.flatMap((row) => row.genres ?? []),
  };
}

/** The rows that have a place, by place. */
export function inOrder<Row>(rows: Row[], placeOf: (row: Row) => number | null): Row[] {
  const placed = rows.flatMap((row) => {
    const place = placeOf(row);
    return place === null ? [] : { place, row };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ row }) => row);
}
