import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database, Reader } from "../client.ts";
import type { ArtistRole } from "../schema/artists.ts";
import { comments } from "../schema/comments.ts";
import { type CreditState, credits } from "../schema/credits.ts";
import { followings } from "../schema/followings.ts";
import { NEWS_KINDS, newsSeen } from "../schema/news.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import { callersId, createdAt, firstIdAt, onlyRow, type SignedIn, signedIn } from "./caller.ts";
import { type EventKind, type NewsKind, newsCount, newsGroups, seenBy } from "./news-events.ts";
import { number } from "./show-parts.ts";
import { isPodcast } from "./show-playlists.ts";

/** Events of each source that a page looks at, and that the count does. */
const LOOKED_AT = 2_000;
const COUNTED = 300;

const MAX_ID = sql.raw("9223372036854775807");

export interface NewsPerson {
  id: number;
  username: string;
  permalink: string;
  avatar_version: string | null;
  /** Whether the reader follows them. */
  followed: boolean;
}

interface NewsComment {
  id: number;
  user_id: number;
  username: string;
  /** Sanitized HTML. */
  body: string;
  timestamp_ms: number | null;
}

interface NewsCredit {
  state: CreditState;
  roles: { name: string; role: ArtistRole }[];
}

const owner = alias(users, "owner");
const setOwner = alias(users, "set_owner");

/** Shows groups with their people and subjects, and one row without a group if there is none. */
export const shownGroups = (on: Reader, groups: SQL, user: SQL) =>
  on
    .select({
      kind: sql<EventKind | null>`grouped.kind`,
      newest: number(sql`grouped.newest`),
      at: createdAt(sql`grouped.newest`),
      people: number(sql`grouped.people`),
      /** Tracks and sets that a group of publications has. */
      things: number(sql`grouped.things`),
      seen_id: number(seenBy(user)),
      rest_below: sql<number | null>`grouped.rest_below`.mapWith(Number),
      actors: sql<NewsPerson[]>`(
        select json_agg(json_build_object('id', ${users.id}, 'username', ${users.username}, 'permalink', ${users.permalink},
          'avatar_version', ${users.avatarVersion}, 'followed', exists (select from ${followings}
            where ${followings.userId} = ${user} and ${followings.followeeId} = ${users.id})) order by shown.place)
        from unnest(grouped.actors) with ordinality as shown(id, place) join ${users} on ${users.id} = shown.id)`,
      comments: sql<NewsComment[] | null>`(
        select json_agg(json_build_object('id', ${comments.id}, 'user_id', ${comments.userId}, 'username', ${users.username},
          'body', ${comments.body}, 'timestamp_ms', ${comments.timestampMs}) order by shown.place)
        from unnest(grouped.comments) with ordinality as shown(id, place) join ${comments} on ${comments.id} = shown.id
          join ${users} on ${users.id} = ${comments.userId})`,
      note: sql<
        string | null
      >`case when grouped.kind = 'share' then (select ${trackShares.note} from ${trackShares}
        where ${trackShares.trackId} = grouped.track_id and ${trackShares.userId} = ${user}) end`,
      credit: sql<NewsCredit | null>`case when grouped.kind = 'credit' then (
        select json_build_object('state', ${credits.state}, 'roles', ${credits.roles}) from ${credits}
        where ${credits.trackId} = grouped.track_id and ${credits.userId} = ${user}) end`,
      track: {
        id: tracks.id,
        title: tracks.title,
        permalink: tracks.permalink,
        owner_permalink: sql<string>`${owner.permalink}`,
        artwork_version: sql<
          string | null
        >`case when ${tracks.takenDownAt} is null then ${tracks.artworkVersion} end`,
      },
      set: {
        id: playlists.id,
        title: playlists.title,
        permalink: playlists.permalink,
        owner_permalink: sql<string>`${setOwner.permalink}`,
        artwork_version: playlists.artworkVersion,
        is_podcast: isPodcast(on),
      },
    })
    .from(sql`${groups} grouped`)
    .leftJoin(tracks, eq(tracks.id, sql`grouped.track_id`))
    .leftJoin(owner, eq(owner.id, tracks.userId))
    .leftJoin(playlists, eq(playlists.id, sql`grouped.playlist_id`))
    .leftJoin(setOwner, eq(setOwner.id, playlists.userId))
    .orderBy(sql`grouped.newest desc`)
    .$dynamic();

/** A place among the groups: below the newest event of the last group, in the look that began below `from`. */
export interface NewsPlace {
  before: number;
  from: number;
}

interface NewsQuery {
  kinds: readonly NewsKind[];
  /** `undefined` at the beginning. */
  place: NewsPlace | undefined;
  limit: number;
  /** Followers stand alone. */
  apart: boolean;
}

/** Reads a page of the caller's news. */
export async function listNews(db: Database, caller: SignedIn, { kinds, place, limit, apart }: NewsQuery) {
  const user = sql`${caller.userId}::bigint`;
  const { before, from } = place ?? { before: Number.MAX_SAFE_INTEGER, from: Number.MAX_SAFE_INTEGER };
  const groups = newsGroups(
    { user, kinds, above: sql`0`, below: sql`${from}::bigint`, most: LOOKED_AT, followed: "newest" },
    { before: sql`${before}::bigint`, limit: limit + 1, apart },
  );
  const rows = await db.read((on) => shownGroups(on, groups, user).where(signedIn(caller)));
  const found = rows.filter(({ kind }) => kind !== null);
  const last = found[limit - 1];
  const rest = rows[0]?.rest_below ?? null;
  const nextLook = rest === null ? undefined : { before: rest, from: rest };
  return {
    groups: found.slice(0, limit),
    seenId: rows[0]?.seen_id ?? 0,
    next: found.length > limit && last ? { before: last.newest, from } : nextLook,
  };
}

export type NewsGroup = Awaited<ReturnType<typeof listNews>>["groups"][number];

/** Counts the news that the caller has not seen, up to a hundred. */
export async function countNews(db: Database, caller: SignedIn): Promise<number> {
  const user = sql`${caller.userId}::bigint`;
  const look = { user, kinds: NEWS_KINDS, above: seenBy(user), below: MAX_ID, most: COUNTED };
  const rows = await db.read((on) =>
    on
      .select({ unseen: newsCount(look) })
      .from(sql`(values (1)) one`)
      .where(signedIn(caller)),
  );
  return onlyRow(rows).unseen;
}

/** Marks everything up to an event as seen. An older page that is sent late changes nothing, and no page marks the future. */
export const markNewsSeen = (db: Database, caller: SignedIn, until: number) =>
  db.write((on) =>
    on
      .insert(newsSeen)
      .values({ userId: callersId(caller), seenId: sql`least(${until}::bigint, ${firstIdAt(sql`now()`)})` })
      .onConflictDoUpdate({
        target: newsSeen.userId,
        set: { seenId: sql`greatest(${newsSeen.seenId}, excluded.seen_id)` },
      }),
  );
