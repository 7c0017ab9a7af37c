import type { Database } from "../client.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";
import { type Presented, presented, type TrackRow } from "./tracks.ts";

/** What people set on tracks and take away again, by table. */
export type Marks = "favorites" | "reposts";

export interface MarkerRow {
  /** Of the mark. */
  id: number;
  user: MiniUserRow;
}

/** `found` is whether the caller may see the track. Setting a mark that stands changes nothing. */
export const markTrack = (db: Database, caller: Caller, marks: Marks, id: number, with_: Presented) =>
  repeatAs<{ found: boolean }>(db, "mark_track_v1", caller, marks, id, ...presented(with_));

/** `found` also where a mark was taken away from a track that the caller sees no more. */
export const unmarkTrack = (db: Database, caller: Caller, marks: Marks, id: number, with_: Presented) =>
  callAs<{ found: boolean }>(db, "unmark_track_v1", caller, marks, id, ...presented(with_));

/** `track` is null where that user does not like it, or the caller does not see it. */
export const findFavorite = (db: Database, caller: Caller, liker: number, id: number, with_: Presented) =>
  callAs<{ track: TrackRow | null }>(db, "find_favorite_v1", caller, liker, id, ...presented(with_));

export interface MarkersWanted {
  trackId: number;
  /** One of them alone. */
  marker?: number;
  /** Above the first mark that is wanted. */
  before?: number;
  limit: number;
}

/** The last mark first. Null where the caller sees no such track. */
export const listMarkers = (
  db: Database,
  caller: Caller,
  marks: Marks,
  { trackId, marker, before = Number.MAX_SAFE_INTEGER, limit }: MarkersWanted,
  with_: Presented,
) =>
  callAs<{ markers: MarkerRow[] | null }>(
    db,
    "list_markers_v1",
    caller,
    marks,
    trackId,
    ...presented(with_),
    marker ?? null,
    before,
    limit,
  );
