import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { favorites } from "../schema/favorites.ts";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists } from "../schema/playlists.ts";
import { reposts } from "../schema/reposts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, selected } from "../stored-select.ts";
import { type Caller, sessionOf, signedIn } from "./caller.ts";
import { choosePage, type ListPage, type ListPosition, type Matches, positionOf } from "./choose-matches.ts";
import { forgive } from "./forgiving.ts";
import { showUsers, type UserRow } from "./show-users.ts";
import { isNamed, type SearchFilter, wordsOf } from "./track-filters.ts";
import { existingUser } from "./users.ts";
import { isVisiblePlaylist, openingOf, seesTrack } from "./visibility.ts";

/** The origin of a list of users, and the ids that order it. */
interface List {
  rows: PgTable;
  /** The rows with their users. */
  from: SQL;
  place: PgColumn;
  user: PgColumn;
  /** The user, track or playlist that the list belongs to. */
  of?: PgColumn;
}

const listOf = (rows: PgTable & { id: PgColumn }, of: PgColumn, user: PgColumn): List => ({
  rows,
  from: sql`${rows} join ${users} on ${users.id} = ${user}`,
  place: rows.id,
  user,
  of,
});

const LISTS = {
  everybody: { rows: users, from: sql`${users}`, place: users.id, user: users.id },
  followings: listOf(followings, followings.userId, followings.followeeId),
  followers: listOf(followings, followings.followeeId, followings.userId),
  favoriters: listOf(favorites, favorites.trackId, favorites.userId),
  reposters: listOf(reposts, reposts.trackId, reposts.userId),
  playlist_favoriters: listOf(playlistFavorites, playlistFavorites.playlistId, playlistFavorites.userId),
  playlist_reposters: listOf(playlistReposts, playlistReposts.playlistId, playlistReposts.userId),
} satisfies Record<string, List>;

export interface UserSearch extends SearchFilter {
  ids?: number[] | undefined;
}

export interface UserFilter extends UserSearch {
  /** Relation to `owner`, `track` or `playlist`. `undefined` lists all users. */
  relation?: Exclude<keyof typeof LISTS, "everybody"> | undefined;
  owner?: number | undefined;
  track?: number | undefined;
  playlist?: number | undefined;
}

/** A search ranks the newest of its matches before the rest. */
const RANKED = sql`1000`;

/** With more matches, walking the list soon finds a page. Fewer matches are looked up by their words. */
const COMMON = sql`4000`;

/** Finds what the list belongs to, if the caller or the secret sees it. */
function subjectOf(caller: Caller, filter: UserFilter, secretHash: Uint8Array | undefined) {
  const { owner, track, playlist } = filter;
  const opening = openingOf(caller.userId, secretHash);
  if (owner !== undefined) return existingUser(caller, owner);
  if (track !== undefined)
    return selected(
      builder
        .select({ id: tracks.id })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(and(signedIn(caller), eq(tracks.id, track), seesTrack(opening))),
    );
  if (playlist !== undefined)
    return selected(
      builder
        .select({ id: playlists.id })
        .from(playlists)
        .innerJoin(users, eq(users.id, playlists.userId))
        .where(and(signedIn(caller), eq(playlists.id, playlist), isVisiblePlaylist(opening))),
    );
  return undefined;
}

/** `undefined` if the owner does not exist, or neither the caller nor the secret sees the track or playlist. */
export async function listUsers(
  db: Database,
  caller: Caller,
  filter: UserFilter,
  page: ListPage,
  secretHash?: Uint8Array,
): Promise<{ users: UserRow[]; next: ListPosition | null; meant: string | undefined } | undefined> {
  const listed = showUsers.chosenBy(chooseUsers(filter, page, caller), sessionOf(caller));
  const subject = subjectOf(caller, filter, secretHash);
  const [found, rows] = subject ? await db.readAll([subject, listed]) : [undefined, await db.read(listed)];
  if (found?.length === 0) return undefined;
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined;
  return {
    users: rows.slice(0, page.limit),
    next: last ? positionOf(last) : null,
    meant: rows[0]?.meant ?? undefined,
  };
}

/** Chooses a page of users and one more. */
export const chooseUsers = (filter: UserFilter, page: ListPage, caller: Caller) =>
  forgive({ kind: "users", filter, page }, (asked) => chooseTyped(asked, page, caller));

function chooseTyped(filter: UserFilter, page: ListPage, caller: Caller) {
  const words = wordsOf(filter);
  const named = sql`exists (select from ${users} where ${users.id} = newest.id
    and (${isNamed(users.username, filter)} or ${isNamed(users.permalink, filter)}))`;
  const ranking = words && { words, isNamed: named, most: RANKED };
  return choosePage(matchesOf(filter, words, caller), ranking, page);
}

function matchesOf(filter: UserFilter, words: SQL | undefined, { userId }: Caller): Matches {
  const { ids, owner, track, playlist } = filter;
  const list: List = LISTS[filter.relation ?? "everybody"];
  const isListed = list.of && sql`${list.of} = ${owner ?? track ?? playlist}`;
  const isAsked = and(isNull(users.disabledAt), ids && sql`${users.id} = any (${sql.param(ids)}::bigint[])`);
  // If a track's owner hides counts, others find only themselves. PostgreSQL skips the part that does not apply.
  const reveals = sql`exists (select from ${tracks} where ${tracks.id} = ${track ?? null}
    and (${tracks.revealStats} or ${tracks.userId} = ${userId}))`;
  const parts =
    track === undefined ? [undefined] : [reveals, sql`not ${reveals} and ${users.id} = ${userId}`];
  const united = (all: SQL[]) => sql.join(all, sql` union all `);
  const ordered = (selected: SQL, limit: SQL | number, fits = sql`true`) =>
    sql`(select * from (${selected}) matches where ${fits} order by place desc limit ${limit})`;
  const walk = (columns: SQL, ...conditions: (SQL | undefined)[]) =>
    sql`select ${columns} from ${list.from} where ${and(isListed, isAsked, ...conditions)}`;
  const idAndPlace = sql`${users.id} as id, ${list.place} as place`;
  if (!words)
    return {
      given: undefined,
      first: (limit, fits) => united(parts.map((part) => ordered(walk(idAndPlace, part), limit, fits))),
    };
  const matching = parts.map(
    (part) => sql`(select ${users.id} as id, ${users.document} as document from ${users}
      where ${and(isAsked, sql`${users.document} @@ ${words}`, part)} limit ${COMMON})`,
  );
  const areCommon = sql`(select many from met)`;
  // The bound makes PostgreSQL look for these users in the list, however many it expects.
  const member = list.of
    ? sql`(select ${list.place} as place from ${list.rows} where ${isListed} and ${list.user} = matching.id limit 1)`
    : sql`(select matching.id as place)`;
  return {
    given: sql`matching as materialized (${united(matching)}),
      met as materialized (select count(*) = ${COMMON} as many from matching),
      few as materialized (select id, place, document from matching, lateral ${member} member where not ${areCommon})`,
    // The function form of the operator uses no index, so this branch walks the list. A reader who finds only
    // themselves has few matches.
    first: (limit, fits) =>
      united([
        ordered(sql`select * from few`, limit, fits),
        ordered(
          walk(
            sql`${idAndPlace}, ${users.document} as document`,
            areCommon,
            sql`ts_match_vq(${users.document}, ${words})`,
            parts[0],
          ),
          limit,
          fits,
        ),
      ]),
  };
}
