import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { favorites } from "../schema/favorites.ts";
import { users } from "../schema/people.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists } from "../schema/playlists.ts";
import { reposts } from "../schema/reposts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder } from "../stored-select.ts";
import { type BudgetLimit, Spent } from "./budgets.ts";
import { type Caller, firstRow, repeatAs, type SignedIn, signedIn } from "./caller.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { type AccessFacts, accessParameters, type TrackRow } from "./track-rows.ts";
import { isVisiblePlaylist, openingOf, seesTrack } from "./visibility.ts";

/** Tables of a user's tracks. */
const TRACK_TABLES = { favorites, reposts };
export type TrackTable = keyof typeof TRACK_TABLES;

/** Tables of a user's playlists. */
const PLAYLIST_TABLES = { playlist_favorites: playlistFavorites, playlist_reposts: playlistReposts };
export type PlaylistTable = keyof typeof PLAYLIST_TABLES;

/** `spent` is null if the favorite or repost already existed. Omitted if the subject was not found. */
const Added = () =>
  z.strictObject({
    found: z.boolean(),
    spent: Spent().nullable().optional(),
  });

/** `found` tells whether the caller sees the track. Adding it again changes nothing. */
export const favoriteOrRepostTrack = (
  db: Database,
  caller: Caller,
  table: TrackTable,
  id: number,
  facts: AccessFacts,
  budget: BudgetLimit | null,
) =>
  repeatAs(db, "favorite_or_repost_track", Added, caller, { table, id, ...accessParameters(facts), budget });

/**
 * Removes a track from the caller's favorites or reposts. True if the track was there or the caller sees it. Locks
 * the track first, as a deletion does.
 */
export async function removeTrackFrom(
  db: Database,
  caller: SignedIn,
  table: TrackTable,
  id: number,
  facts: AccessFacts,
): Promise<boolean> {
  const { userId, trackId } = TRACK_TABLES[table];
  const isSeen = seesTrack(openingOf(caller.userId, facts.secretHash));
  const [removed] = await db.write((on) => {
    const track = on.$with("track").as(
      on
        .select({ id: tracks.id, isSeen: isSeen.as("is_seen") })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(eq(tracks.id, id))
        .for("key share", { of: tracks }),
    );
    const gone = on.$with("gone").as(
      on
        .delete(TRACK_TABLES[table])
        .where(and(eq(userId, caller.userId), eq(trackId, sql`(select ${track.id} from ${track})`)))
        .returning({ id: trackId }),
    );
    return on
      .with(track, gone)
      .select({ isFound: sql<boolean>`${track.isSeen} or exists (select from ${gone})` })
      .from(track)
      .where(signedIn(caller));
  });
  return removed?.isFound ?? false;
}

/** Tells whether the caller sees the track. `undefined` if the user does not exist. */
export const lookAtFavorite = (db: Database, caller: Caller, userId: number, trackId: number) =>
  db
    .read((on) =>
      on
        .select({
          seesTrack: sql<boolean>`exists (select from tracks t where t.id = ${trackId}
            and track_access(t, ${caller.userId}, null, null) <> 'none')`,
        })
        .from(users)
        .where(and(signedIn(caller), eq(users.id, userId), isNull(users.disabledAt))),
    )
    .then(([named]) => named);

/** Finds a user's favorite. `undefined` if the track is not a favorite or is hidden from the caller. */
export function findFavorite(
  db: Database,
  caller: Caller,
  favoriter: number,
  id: number,
  facts: AccessFacts,
): Promise<TrackRow | undefined> {
  const choice = builder
    .select({ id: favorites.trackId })
    .from(favorites)
    .innerJoin(users, eq(users.id, favorites.userId))
    .where(and(eq(favorites.userId, favoriter), eq(favorites.trackId, id), isNull(users.disabledAt)));
  return db.read(showTracks.chosenBy(choice, shownTo(caller, facts))).then(firstRow);
}

/** Replies like `favoriteOrRepostTrack`. */
export const favoriteOrRepostPlaylist = (
  db: Database,
  caller: Caller,
  table: PlaylistTable,
  id: number,
  secretHash: Uint8Array | undefined,
  budget: BudgetLimit | null,
) =>
  repeatAs(db, "favorite_or_repost_playlist", Added, caller, {
    table,
    id,
    secret_hash: secretHash ?? null,
    budget,
  });

/** Removes a playlist, like `removeTrackFrom`. */
export async function removePlaylistFrom(
  db: Database,
  caller: SignedIn,
  table: PlaylistTable,
  id: number,
  secretHash: Uint8Array | undefined,
): Promise<boolean> {
  const { userId, playlistId } = PLAYLIST_TABLES[table];
  const isVisible = sql<boolean>`${isVisiblePlaylist(openingOf(caller.userId, secretHash))}`;
  const [removed] = await db.write((on) => {
    const playlist = on.$with("playlist").as(
      on
        .select({ id: playlists.id, isVisible: isVisible.as("is_visible") })
        .from(playlists)
        .innerJoin(users, eq(users.id, playlists.userId))
        .where(eq(playlists.id, id))
        .for("key share", { of: playlists }),
    );
    const gone = on.$with("gone").as(
      on
        .delete(PLAYLIST_TABLES[table])
        .where(and(eq(userId, caller.userId), eq(playlistId, sql`(select ${playlist.id} from ${playlist})`)))
        .returning({ id: playlistId }),
    );
    return on
      .with(playlist, gone)
      .select({ isFound: sql<boolean>`${playlist.isVisible} or exists (select from ${gone})` })
      .from(playlist)
      .where(signedIn(caller));
  });
  return removed?.isFound ?? false;
}
