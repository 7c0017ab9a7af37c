import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { favorites } from "../schema/favorites.ts";
import { users } from "../schema/people.ts";
import { builder } from "../stored-select.ts";
import { type BudgetLimit, Spent } from "./budgets.ts";
import { type Caller, callAs, firstRow, repeatAs, signedIn } from "./caller.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { type AccessFacts, accessParameters, type TrackRow } from "./track-rows.ts";

/** Tables of a user's tracks. */
export type TrackTable = "favorites" | "reposts";

/** Tables of a user's playlists. */
export type PlaylistTable = "playlist_favorites" | "playlist_reposts";

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

/** `found` is also true if it was removed and the caller no longer sees it. */
export const removeTrackFrom = (
  db: Database,
  caller: Caller,
  table: TrackTable,
  id: number,
  facts: AccessFacts,
) =>
  callAs(
    db,
    "remove_track_from",
    () =>
      z.strictObject({
        found: z.boolean(),
      }),
    caller,
    { table, id, ...accessParameters(facts) },
  );

/** Whether the caller sees the track beside the user, whom a missing reply says not to exist. */
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

/** Finds a user's favorite. `undefined` if it is none, or the caller does not see it. */
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

export const removePlaylistFrom = (
  db: Database,
  caller: Caller,
  table: PlaylistTable,
  id: number,
  secretHash: Uint8Array | undefined,
) =>
  callAs(
    db,
    "remove_playlist_from",
    () =>
      z.strictObject({
        found: z.boolean(),
      }),
    caller,
    { table, id, secret_hash: secretHash ?? null },
  );
