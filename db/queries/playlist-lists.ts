import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { users } from "../schema/people.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlistSearch } from "../schema/playlist-search.ts";
import { playlists } from "../schema/playlists.ts";
import { choosePage, type ListPage, type Matches } from "./choose-matches.ts";
import { forgive } from "./forgiving.ts";
import { isNamed, type SearchFilter, wordsOf } from "./track-filters.ts";
import { isListedPlaylist } from "./visibility.ts";

export interface PlaylistFilter extends SearchFilter {
  owner?: number | undefined;
  /** The user whose favorites or reposts are listed, latest first. */
  favored_by?: number | undefined;
  reposted_by?: number | undefined;
  ids?: number[] | undefined;
}

/** A search ranks the newest of its matches before the rest. */
const RANKED = sql`1000`;

/** With more matches, walking the list soon finds a page. Fewer matches are looked up by their words. */
const COMMON = sql`4000`;

/** Chooses a page of playlists and one more: the latest favorites or reposts, an owner's latest publications, or the newest. */
export const choosePlaylists = (filter: PlaylistFilter, page: ListPage, reader: number | null) =>
  forgive({ kind: "playlists", filter, page }, (asked) => chooseTyped(asked, page, reader));

function chooseTyped(filter: PlaylistFilter, page: ListPage, reader: number | null) {
  const words = wordsOf(filter);
  // Exact title matches rank first.
  const named = sql`exists (select from ${playlists} where ${playlists.id} = newest.id and ${isNamed(playlists.title, filter)})`;
  const ranking = words && {
    words,
    isNamed: favoriterOrReposter(filter) === undefined ? named : sql`false`,
    most: RANKED,
  };
  return choosePage(matchesOf(filter, words, reader), ranking, page);
}

const favoriterOrReposter = ({ favored_by, reposted_by }: PlaylistFilter) => favored_by ?? reposted_by;

/** The origin of a list, and the ids that order it. Only searches need the words. */
function sourceOf(filter: PlaylistFilter) {
  const from = filter.words
    ? sql`${playlists} join ${playlistSearch} on ${playlistSearch.id} = ${playlists.id}`
    : sql`${playlists} join ${users} on ${users.id} = ${playlists.userId}`;
  const userId = favoriterOrReposter(filter);
  if (userId !== undefined) {
    const table = filter.favored_by === undefined ? playlistReposts : playlistFavorites;
    const joined = sql`${from} join ${table} on ${table.playlistId} = ${playlists.id}`;
    return { from: joined, place: table.id, whose: eq(table.userId, userId) };
  }
  const { owner, words } = filter;
  if (owner === undefined) return { from, place: playlists.id, whose: undefined };
  return { from, place: words ? playlists.id : playlists.publishedId, whose: eq(playlists.userId, owner) };
}

function matchesOf(filter: PlaylistFilter, words: SQL | undefined, reader: number | null): Matches {
  const { from, place, whose } = sourceOf(filter);
  const { document } = playlistSearch;
  const isOwn = sql`${playlists.userId} = ${reader}::bigint`;
  const select = (...conditions: (SQL | undefined)[]) =>
    sql`select ${playlists.id} as id, ${place} as place, ${words ? document : sql`null`} as document from ${from}
      where ${and(
        words ? or(playlistSearch.public, isOwn) : isListedPlaylist(reader),
        whose,
        filter.ids && sql`${playlists.id} = any (${sql.param(filter.ids)}::bigint[])`,
        ...conditions,
      )}`;
  const ordered = (selected: SQL, limit: SQL | number, fits = sql`true`) =>
    sql`(select * from (${selected}) matches where ${fits} order by place desc limit ${limit})`;
  if (!words) return { given: undefined, first: (limit, fits) => ordered(select(), limit, fits) };
  const areCommon = sql`(select count(*) from few) = ${COMMON}`;
  return {
    given: sql`few as materialized (${select(sql`${document} @@ ${words}`)} limit ${COMMON})`,
    // PostgreSQL skips the branch that does not apply. The function form of the operator uses no index, so the other
    // branch walks the list.
    first: (limit, fits) =>
      sql`${ordered(sql`select * from few where not ${areCommon}`, limit, fits)}
        union all ${ordered(select(areCommon, sql`ts_match_vq(${document}, ${words})`), limit, fits)}`,
  };
}
