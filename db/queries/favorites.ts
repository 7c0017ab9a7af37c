import { and, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
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
  const rows = TRACK_TABLES[table];
  const [removed] = await db.writeAll((on) => {
    const isTrack = eq(tracks.id, id);
    const lock = on.select({ id: tracks.id }).from(tracks).where(isTrack).for("key share");
    const seen = on
      .select({ id: tracks.id })
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(and(isTrack, seesTrack(openingOf(caller.userId, facts.secretHash))));
    const gone = on.$with("gone").as(
      on
        .delete(rows)
        .where(and(eq(rows.userId, caller.userId), eq(rows.trackId, id)))
        .returning({ id: rows.trackId }),
    );
    return [
      lock,
      on.with(gone).select(isFound(gone, seen)).from(sql`(values (1)) one`).where(signedIn(caller)),
    ];
  });
  return removed?.isFound ?? false;
}

const isFound = (gone: SQLWrapper, seen: SQLWrapper) => ({
  isFound: sql<boolean>`exists (select from ${gone}) or exists ${seen}`,
});

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
  const rows = PLAYLIST_TABLES[table];
  const [removed] = await db.writeAll((on) => {
    const isPlaylist = eq(playlists.id, id);
    const lock = on.select({ id: playlists.id }).from(playlists).where(isPlaylist).for("key share");
    const seen = on
      .select({ id: playlists.id })
      .from(playlists)
      .innerJoin(users, eq(users.id, playlists.userId))
      .where(and(isPlaylist, isVisiblePlaylist(openingOf(caller.userId, secretHash))));
    const gone = on.$with("gone").as(
      on
        .delete(rows)
        .where(and(eq(rows.userId, caller.userId), eq(rows.playlistId, id)))
        .returning({ id: rows.playlistId }),
    );
    return [
      lock,
      on.with(gone).select(isFound(gone, seen)).from(sql`(values (1)) one`).where(signedIn(caller)),
    ];
  });
  return removed?.isFound ?? false;
}
