import * as z from "zod";
import type { Database } from "../client.ts";
import { changeOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, callAtLengthAs, repeatAs } from "./caller.ts";
import type { Expected } from "./own-tracks.ts";
import { PlaylistPage, PlaylistRefusal, type Reading } from "./playlists.ts";

const Changed = () => changeOf(PlaylistRefusal(), {});

interface NewPlaylist {
  /** Columns that the owner may write. */
  fields: Record<string, unknown>;
  /** Preferred permalink, made unique among the owner's. */
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
  trackIds: number[];
}

/** A written playlist and the budget it counted against. */
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
    held: reading.held,
    budget,
  });

interface PlaylistUpdate {
  /** Omitted columns stay unchanged. */
  columns: Record<string, unknown>;
  trackIds: number[];
  /** Replaces the present tracks. Otherwise the new ones are appended. */
  replaces: boolean;
  expected: Expected;
}

export function updatePlaylist(
  db: Database,
  caller: Caller,
  id: number,
  { columns, trackIds, replaces, expected }: PlaylistUpdate,
  { country, held }: Reading,
  budget: BudgetLimit | null,
) {
  const given = {
    id,
    changes: columns,
    tracks: trackIds,
    replaces,
    expected,
    country: country ?? null,
    held,
    budget,
  };
  // A conditional update cannot be repeated: its own success invalidates the condition.
  const sending = expected ? "once" : "repeatable";
  // Changing the visibility hides or shows everybody's reposts of it.
  const call = "sharing" in columns ? callAtLengthAs : callAs;
  return call(db, "update_playlist", PlaylistWritten, caller, given, sending);
}

export const removePlaylistTrack = (
  db: Database,
  caller: Caller,
  id: number,
  trackId: number,
  expected: Expected,
) => callAs(db, "remove_playlist_track", Changed, caller, { id, track: trackId, expected });

/** Deletes a playlist with its marks, of which it may have a million. */
export const deletePlaylist = (db: Database, caller: Caller, id: number, expected: Expected) =>
  callAtLengthAs(db, "delete_playlist", Changed, caller, { id, expected });

/** `secret_sealed` is Base64 and encrypted. */
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
