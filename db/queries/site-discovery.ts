import { desc, eq, isNull, notExists, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { favorites } from "../schema/favorites.ts";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, choiceOf, type Reading } from "../stored-select.ts";
import { type Caller, firstIdAt, ID_EPOCH_MS, IDS_PER_MS, sessionOf } from "./caller.ts";
import { matchesOf } from "./choose-tracks.ts";
import { showPlaylists } from "./show-playlists.ts";
import { showTracks } from "./show-tracks.ts";
import { showUsers } from "./show-users.ts";
import { countedFor, rowsFor } from "./site-lists.ts";

/** Number of newest tracks to examine. */
const LATEST = 500;

/** Number of genres and of tags to name. */
const NAMES = 24;

/** The newest tracks of one uploader that are listed. */
const OF_ONE = 2;

/** Newest likes of a track that count. */
const LIKES = 1000;

interface DiscoveryQuery {
  country: string | undefined;
  /** Default: all. */
  genre?: string | undefined;
  /** Most tracks of each list. */
  newest: number;
  popular: number;
}

const everybody = { userId: null, country: undefined };

/** Likes of the last seven days, each worth half as much with every two days that pass. */
const recentLikes = sql`(select sum(power(0.5, (extract(epoch from now()) * 1000 - ${ID_EPOCH_MS} - liked.id / ${IDS_PER_MS}) / 172800000.0))
  from (select ${favorites.id} as id from ${favorites} where ${favorites.trackId} = ${tracks.id}
    and ${favorites.id} > ${firstIdAt(sql`now() - interval '7 days'`)} order by ${favorites.trackId}, ${favorites.id} desc limit ${sql.raw(String(LIKES))}) liked)`;

/**
 * Reads the newest tracks, two of one uploader at most, and the most popular of the latest: by recent likes, then by all plays
 * and likes. Only those that play for everybody appear.
 */
function tracksOf(caller: Caller, { country, genre, newest, popular }: DiscoveryQuery) {
  const filter = { genres: genre === undefined ? undefined : [genre] };
  const matches = matchesOf(filter, false, everybody, { documents: false });
  // A hidden count ranks nobody.
  const shownCount = (count: SQL) =>
    sql`case when ${tracks.revealStats} then coalesce(${count}, 0) else 0 end`;
  const heard = sql`select ${tracks.id}, ${tracks.genre}, ${tracks.tagList}, ${shownCount(recentLikes)} as likes,
      ${shownCount(sql`${tracks.playbackCount} + 5 * ${tracks.favoritingsCount}`)} as weight,
      row_number() over (partition by ${tracks.userId} order by ${tracks.id} desc) as of_user
    from (${matches.first(LATEST)}) latest join ${tracks} on ${tracks.id} = latest.id
    where ${tracks.state} = 'finished' and ${tracks.streamable} and ${tracks.availableCountryCodes} is null and ${tracks.paywall} is null`;
  const given = sql`with ${matches.given ? sql`${matches.given},` : sql``} heard as materialized (${heard})`;
  const places = sql`select id, weight + likes > 0 as is_popular,
      case when of_user <= ${sql.raw(String(OF_ONE))} then row_number() over (partition by of_user <= ${sql.raw(String(OF_ONE))} order by id desc) end as newest,
      row_number() over (order by likes desc, weight desc, id desc) as popular, row_number() over (order by id desc) as place
    from heard`;
  const named = (from: SQL) => sql`array(select min(name) from ${from} where name <> '' group by lower(name)
    order by count(*) desc, lower(name) limit ${NAMES})`;
  // The first row brings the names.
  const choice = choiceOf<{
    newest: number | null;
    popular: number | null;
    genres: string[] | null;
    tags: string[] | null;
  }>(
    sql`${given} select id, case when newest <= ${newest} then newest end, case when popular <= ${popular} and is_popular then popular end,
        case when place = 1 then ${named(sql`(select genre from heard) genres(name)`)} end,
        case when place = 1 then ${named(sql`(select distinct id, lower(tag) from heard, tags_of(tag_list) tag) tags(id, name)`)} end
      from (${places}) places where newest <= ${newest} or popular <= ${popular} and is_popular or place = 1`,
    ["newest", "popular", "genres", "tags"],
  );
  return showTracks.chosenBy(choice, rowsFor(caller, { secretHash: undefined, country }));
}

type TrackRows = ReturnType<typeof tracksOf> extends Reading<infer Row> ? Row[] : never;

const listsOf = (rows: TrackRows) => ({
  newest: inOrder(rows, (row) => row.newest),
  popular: inOrder(rows, (row) => row.popular),
  genres: rows.flatMap((row) => row.genres ?? []),
  tags: rows.flatMap((row) => row.tags ?? []),
});

/** Finds the newest and the popular tracks. */
export const discoverTracks = async (db: Database, caller: Caller, query: DiscoveryQuery) =>
  listsOf(await db.read(tracksOf(caller, query)));

/** Public sets and uploaders that are compared. */
const COMPARED = 200;

/** Chooses the best liked of the newest public sets that hold tracks. */
const setsOf = (most: number) => {
  const newest = builder
    .select({ id: playlists.id, likes: playlists.favoritingsCount })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(
      sql`${playlists.sharing} = 'public' and ${isNull(users.disabledAt)} and exists ${builder
        .select({ id: playlistTracks.trackId })
        .from(playlistTracks)
        .where(eq(playlistTracks.playlistId, playlists.id))}`,
    )
    .orderBy(desc(playlists.id))
    .limit(COMPARED)
    .as("newest");
  return builder
    .select({ id: newest.id })
    .from(newest)
    .orderBy(desc(newest.likes), desc(newest.id))
    .limit(most);
};

/** Chooses the most followed of the uploaders of the latest tracks whom the reader does not follow. */
function peopleOf({ userId }: Caller, most: number) {
  const matches = matchesOf({}, false, everybody, { documents: false });
  const followed = builder
    .select({ id: followings.id })
    .from(followings)
    .where(sql`${followings.userId} = ${userId}::bigint and ${followings.followeeId} = ${users.id}`);
  return builder
    .select({ id: users.id })
    .from(users)
    .where(
      sql`${users.id} in (select ${tracks.userId} from (${matches.first(COMPARED)}) latest join ${tracks} on ${tracks.id} = latest.id)
        and ${users.id} is distinct from ${userId}::bigint and ${isNull(users.disabledAt)} and ${notExists(followed)}`,
    )
    .orderBy(desc(users.followersCount), desc(users.id))
    .limit(most);
}

interface PageQuery extends DiscoveryQuery {
  sets: number;
  people: number;
}

/** Reads the page of discoveries. */
export async function discoverAll(db: Database, caller: Caller, query: PageQuery) {
  const [rows, sets, people] = await db.readAll([
    tracksOf(caller, query),
    showPlaylists.chosenBy(
      setsOf(query.sets),
      countedFor(caller, { secretHash: undefined, country: query.country }),
    ),
    showUsers.chosenBy(peopleOf(caller, query.people), sessionOf(caller)),
  ]);
  return { ...listsOf(rows), sets, people };
}

/** The rows that have a place, by place. */
export function inOrder<Row>(rows: Row[], placeOf: (row: Row) => number | null): Row[] {
  const placed = rows.flatMap((row) => {
    const place = placeOf(row);
    return place === null ? [] : { place, row };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ row }) => row);
}
