import type { Database } from "../client.ts";
import { type BudgetLimit, budgetJson, type Spent } from "./budgets.ts";
import { bytea, type Caller, callAs, repeatAs } from "./caller.ts";
import { type Presented, presented, type TrackRow } from "./tracks.ts";

/** What people set on tracks and take away again, by table. */
export type Marks = "favorites" | "reposts";

export type PlaylistMarks = "playlist_likes" | "playlist_reposts";

/** `spent` is null where the mark stood, and left out where nothing was found. */
type Marked = { found: boolean; spent?: Spent | null };

/** `found` is whether the caller may see the track. Setting a mark that stands changes nothing. */
export const markTrack = (
  db: Database,
  caller: Caller,
  marks: Marks,
  id: number,
  with_: Presented,
  budget: BudgetLimit | null,
) => repeatAs<Marked>(db, "mark_track", caller, marks, id, ...presented(with_), budgetJson(budget));

/** `found` also where a mark was taken away from a track that the caller sees no more. */
export const unmarkTrack = (db: Database, caller: Caller, marks: Marks, id: number, with_: Presented) =>
  callAs<{ found: boolean }>(db, "unmark_track", caller, marks, id, ...presented(with_));

/** `track` is null where that user does not like it, or the caller does not see it. */
export const findFavorite = (db: Database, caller: Caller, liker: number, id: number, with_: Presented) =>
  callAs<{ track: TrackRow | null }>(db, "find_favorite", caller, liker, id, ...presented(with_));

/** As of tracks. */
export const markPlaylist = (
  db: Database,
  caller: Caller,
  marks: PlaylistMarks,
  id: number,
  secretHash: Uint8Array | undefined,
  budget: BudgetLimit | null,
) =>
  repeatAs<Marked>(
    db,
    "mark_playlist",
    caller,
    marks,
    id,
    secretHash ? bytea(secretHash) : null,
    budgetJson(budget),
  );

export const unmarkPlaylist = (
  db: Database,
  caller: Caller,
  marks: PlaylistMarks,
  id: number,
  secretHash: Uint8Array | undefined,
) =>
  callAs<{ found: boolean }>(db, "unmark_playlist", caller, marks, id, secretHash ? bytea(secretHash) : null);
