import * as z from "zod";
import type { Database } from "../client.ts";
import { changeOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { PlaylistPage, PlaylistRefusal, type Reading } from "./playlists.ts";

const Changed = () => changeOf(PlaylistRefusal(), {});

export interface NewPlaylist {
  /** What the owner may write, by column. */
  fields: Record<string, unknown>;
  /** Wanted; made unique among the owner's. */
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
  trackIds: number[];
}

/** A playlist as it is written, and what that counted. */
const PlaylistWritten = () =>
  z.union([
    changeOf(
      PlaylistRefusal(),
      PlaylistPage().extend({
        spent: Spent().nullable(),
      }).shape,
    ),
    OverBudget(),
  ]);

export const createPlaylist = (
  db: Database,
  caller: Caller,
  playlist: NewPlaylist,
  reading: Reading,
  budget: BudgetLimit | null,
) =>
  callAs(db, "create_playlist", PlaylistWritten, caller, {
    playlist: playlist.fields,
    permalink: playlist.permalink,
    secret_hash: playlist.secretHash,
    secret_sealed: playlist.secretSealed,
    tracks: playlist.trackIds,
    country: reading.country ?? null,
    known: reading.known,
    budget,
  });

/** What `updated_at` has to be for a change to be made: one of these; null where anything. */
type Expected = string[] | null;

interface PlaylistUpdate {
  /** What is left out stays as it is. */
  columns: Record<string, unknown>;
  trackIds: number[];
  /** They are all that it holds from now on; else they come after what it holds. */
  replaces: boolean;
  expected: Expected;
}

export function updatePlaylist(
  db: Database,
  caller: Caller,
  id: number,
  { columns, trackIds, replaces, expected }: PlaylistUpdate,
  { country, known }: Reading,
  budget: BudgetLimit | null,
) {
  // What is expected no longer holds once it was done.
  const call = expected ? callAs : repeatAs;
  return call(db, "update_playlist", PlaylistWritten, caller, {
    id,
    changes: columns,
    tracks: trackIds,
    replaces,
    expected,
    country: country ?? null,
    known,
    budget,
  });
}

export const removePlaylistTrack = (
  db: Database,
  caller: Caller,
  id: number,
  trackId: number,
  expected: Expected,
) => callAs(db, "remove_playlist_track", Changed, caller, { id, track: trackId, expected });

export const deletePlaylist = (db: Database, caller: Caller, id: number, expected: Expected) =>
  callAs(db, "delete_playlist", Changed, caller, { id, expected });

/** Base64, sealed. */
export const findPlaylistSecret = (db: Database, caller: Caller, id: number) =>
  callAs(
    db,
    "find_playlist_secret",
    () =>
      changeOf(PlaylistRefusal(), {
        secret_sealed: z.string(),
      }),
    caller,
    { id },
  );

export const rotatePlaylistSecret = (
  db: Database,
  caller: Caller,
  id: number,
  secret: { hash: Uint8Array; sealed: Uint8Array },
) =>
  repeatAs(db, "rotate_playlist_secret", Changed, caller, {
    id,
    secret_hash: secret.hash,
    secret_sealed: secret.sealed,
  });
