import { and, desc, eq, isNotNull, isNull, notExists, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { comments } from "../schema/comments.ts";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import type { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists } from "../schema/playlists.ts";
import type { reposts } from "../schema/reposts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, type Choice, selected } from "../stored-select.ts";
import { type Caller, sessionOf } from "./caller.ts";
import { miniUser } from "./mini-user.ts";
import { visibleEntries } from "./playlist-entries.ts";
import type { PlaylistRow } from "./playlists.ts";
import { isBelow, newestFirst } from "./show-comments.ts";
import { number } from "./show-parts.ts";
import { shownTo } from "./show-tracks.ts";
import type { UserRow } from "./show-users.ts";
import { type AccessFacts, accessParameters, type TrackRow } from "./track-rows.ts";
import {
  isListedTrack,
  isVisiblePlaylist,
  type Opening,
  openingOf,
  seesTrack,
  trackAccess,
} from "./visibility.ts";

/** An item of a page's list: a track, a playlist or a user. */
export interface ListItem {
  place: number;
  track?: TrackRow;
  playlist?: PlaylistRow;
  user?: UserRow;
  /** Whether the reader follows the user. */
  follows?: boolean;
}

export const openingFor = ({ userId }: Caller, { secretHash, country }: AccessFacts): Opening =>
  openingOf(userId, secretHash, country);

/** Parameters of `showTracks` for rows of a page, which show no descriptions. */
export const rowsFor = (caller: Caller, facts: AccessFacts) => shownTo(caller, facts, 0);

/** Parameters of `showPlaylists` with all totals. */
export const countedFor = (caller: Caller, facts: AccessFacts) => ({
  ...sessionOf(caller),
  ...accessParameters(facts),
  access: null,
  totals: true,
  track_ids: false,
});

/** 1 if the user has such a row. */
export const hasRow = (table: OfUser, userId: number | null, condition: SQL) =>
  sql<number>`(exists ${builder
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.userId, sql`${userId}::bigint`), condition))})::integer`;

type OfUser = typeof followings | typeof reposts | typeof playlistFavorites | typeof playlistReposts;

/** 1 if the user follows another. */
export const isFollowed = (followee: SQLWrapper, userId: number | null) =>
  hasRow(followings, userId, eq(followings.followeeId, followee));

/** A list of tracks. `plays` is 1 for tracks that other sites may play. */
export type List = Choice<{ place: number; plays: number }>;

/** Tracks of a user that other sites show. */
const NEWEST = 50;

/** Timed comments of a track that its player shows. */
const REMARKS = 100;

const playsElsewhere = (state: SQLWrapper, access: SQLWrapper, embeddableBy: SQLWrapper) =>
  sql<number>`(${state} = 'finished' and ${access} <> 'blocked' and ${embeddableBy} = 'all')::integer`.as(
    "plays",
  );

/** Chooses a playlist's tracks behind a position, in order. */
export function entriesOf(id: SQL, opening: Opening) {
  const entries = visibleEntries(builder, opening, sql`null::text[]`);
  return builder
    .select({
      id: entries.id,
      place: sql<number>`${entries.position}`.as("place"),
      plays: playsElsewhere(entries.state, entries.access, entries.embeddableBy),
    })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .innerJoinLateral(entries, sql`true`)
    .where(and(eq(playlists.id, id), isVisiblePlaylist(opening)))
    .orderBy(entries.position);
}

/** Chooses a user's newest tracks. */
export const newestOf = (id: SQL, opening: Opening) =>
  builder
    .select({
      id: tracks.id,
      place: sql<number>`-${tracks.id}`.as("place"),
      plays: playsElsewhere(tracks.state, trackAccess(opening), tracks.embeddableBy),
    })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(eq(tracks.userId, id), isListedTrack(opening.user)))
    .orderBy(desc(tracks.id))
    .limit(NEWEST);

/** An item to play. Default: the first that can be played on other sites. */
export interface Wanted {
  /** Counted from 0. */
  at?: number | undefined;
  /** Id of the item, which takes precedence over `at`. Nothing is played if the item has left the list. */
  chosen?: number | undefined;
}

/** Chooses the item to play. */
export function playedOf(list: List, { at, chosen }: Wanted): SQL {
  const listed = sql`(${list.getSQL()}) listed`;
  if (chosen !== undefined) return sql`select id from ${listed} where id = ${chosen}`;
  if (at !== undefined)
    return sql`select id from (select id, place from ${listed} order by place limit ${at + 1}) first order by place desc limit 1`;
  return sql`select id from ${listed} order by plays desc, place limit 1`;
}

/** Chooses a track, if the reader sees it. */
export const visibleTrack = (id: SQL, opening: Opening): SQL =>
  builder
    .select({ id: tracks.id })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(eq(tracks.id, id), seesTrack(opening)))
    .getSQL();

/** Reads the newest timed comments of a chosen track but no replies, by position. There are none if its owner reveals none. */
export function timedComments(track: SQL) {
  const author = builder
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, comments.userId), isNotNull(users.disabledAt)));
  const newest = builder
    .select({
      id: comments.id,
      userId: comments.userId,
      timestampMs: comments.timestampMs,
      body: comments.body,
    })
    .from(comments)
    .where(
      and(
        isBelow(comments.trackId, sql`${tracks.id}`, Number.MAX_SAFE_INTEGER),
        isNotNull(comments.timestampMs),
        isNull(comments.parentId),
        notExists(author),
      ),
    )
    .orderBy(...newestFirst(comments.trackId))
    .limit(REMARKS)
    .as("newest");
  return selected(
    builder
      .select({
        id: newest.id,
        timestamp: number(sql`${newest.timestampMs}`),
        user: miniUser,
        body: newest.body,
      })
      .from(tracks)
      .innerJoinLateral(newest, sql`true`)
      .innerJoin(users, eq(users.id, newest.userId))
      .where(and(eq(tracks.id, sql`(${track})`), tracks.revealComments))
      .orderBy(newest.timestampMs, newest.id),
  );
}
