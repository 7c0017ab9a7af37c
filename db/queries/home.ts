import { and, desc, eq, isNull, notExists, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import { recentPlays } from "../schema/plays.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, choiceOf } from "../stored-select.ts";
import { type SignedIn, sessionOf } from "./caller.ts";
import { matchesOf } from "./choose-tracks.ts";
import { type FeedQuery, feedReading, toFeed } from "./feed.ts";
import { showTracks } from "./show-tracks.ts";
import { showUsers } from "./show-users.ts";
import { rowsFor } from "./site-lists.ts";
import { isListedTrack } from "./visibility.ts";

/** People to examine: whom the caller follows, whom those follow, and who published lately. */
const FOLLOWED = 100;
const FOLLOWED_BY_THEM = 1_000;
const LATEST = 200;

interface HomeQuery extends FeedQuery {
  /** Most people to suggest, and tracks heard last. */
  people: number;
  recent: number;
}

/** Reads the caller's feed, people to follow and the tracks that the caller played last, in one round trip. */
export async function readHome(db: Database, caller: SignedIn, { people, recent, ...asked }: HomeQuery) {
  const facts = { secretHash: undefined, country: asked.country };
  const [posts, suggested, played] = await db.readAll([
    feedReading(caller, asked),
    showUsers.chosenBy(choiceOf(suggestions(caller.userId, people), []), sessionOf(caller)),
    showTracks.chosenBy(playedLast(caller.userId, recent), rowsFor(caller, facts)),
  ]);
  return {
    feed: toFeed(posts, asked.page),
    people: suggested,
    recent: played.filter(({ access, state }) => access !== "blocked" && state !== "failed"),
  };
}

const playedLast = (userId: number, limit: number) =>
  builder
    .select({ id: recentPlays.trackId })
    .from(recentPlays)
    .where(eq(recentPlays.userId, userId))
    .orderBy(desc(recentPlays.playedAt))
    .limit(limit);

/** Chooses people whom most of the followed follow, then those who published last. All have a public track. */
function suggestions(userId: number, limit: number): SQL {
  const followed = builder
    .select({ id: followings.followeeId })
    .from(followings)
    .where(eq(followings.userId, userId))
    .orderBy(desc(followings.id))
    .limit(FOLLOWED);
  const theirs = alias(followings, "theirs");
  const among = builder
    .select({ id: theirs.followeeId, weight: sql<number>`1`.as("weight") })
    .from(theirs)
    .where(sql`${theirs.userId} in (${followed})`)
    .limit(FOLLOWED_BY_THEM);
  const everybody = { userId: null, country: undefined };
  const listed = matchesOf({}, false, everybody, { documents: false }).first(LATEST);
  const latest = sql`select ${tracks.userId}, 0 from (${listed}) latest join ${tracks} on ${tracks.id} = latest.id`;
  const follows = builder
    .select({ id: followings.id })
    .from(followings)
    .where(and(eq(followings.userId, userId), sql`${followings.followeeId} = ${users.id}`));
  const published = sql`(select max(${tracks.id}) from ${tracks} where ${tracks.userId} = ${users.id} and ${isListedTrack(null)})`;
  const known = sql`(select id, sum(weight) as weight from ((${among}) union all (${latest})) people(id, weight) group by id) known`;
  return sql`select ${users.id} from ${known} join ${users} on ${users.id} = known.id
    cross join lateral (select ${published} as latest) theirs
    where ${and(isNull(users.disabledAt), sql`${users.id} <> ${userId}`, notExists(follows))} and theirs.latest is not null
    order by known.weight desc, theirs.latest desc limit ${limit}`;
}
