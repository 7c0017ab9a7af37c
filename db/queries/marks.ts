import type { Database } from "../client.ts";
import { bytea, type Caller, callAs, repeatAs } from "./caller.ts";
import { type Presented, presented, type TrackRow } from "./tracks.ts";

/** What people set on tracks and take away again, by table. */
export type Marks = "favorites" | "reposts";

export type PlaylistMarks = "playlist_likes" | "playlist_reposts";

/** `found` is whether the caller may see the track. Setting a mark that stands changes nothing. */
export const markTrack = (db: Database, caller: Caller, marks: Marks, id: number, with_: Presented) =>
  repeatAs<{ found: boolean }>(db, "mark_track_v1", caller, marks, id, ...presented(with_));

/** `found` also where a mark was taken away from a track that the caller sees no more. */
export const unmarkTrack = (db: Database, caller: Caller, marks: Marks, id: number, with_: Presented) =>
  callAs<{ found: boolean }>(db, "unmark_track_v1", caller, marks, id, ...presented(with_));

/** `track` is null where that user does not like it, or the caller does not see it. */
export const findFavorite = (db: Database, caller: Caller, liker: number, id: number, with_: Presented) =>
  callAs<{ track: TrackRow | null }>(db, "find_favorite_v1", caller, liker, id, ...presented(with_));

const marking =
  (name: string, call: typeof callAs) =>
  (db: Database, caller: Caller, marks: PlaylistMarks, id: number, secretHash: Uint8Array | undefined) =>
    call<{ found: boolean }>(db, name, caller, marks, id, secretHash ? bytea(secretHash) : null);

/** As of tracks. */
export const markPlaylist = marking("mark_playlist_v1", repeatAs);
export const unmarkPlaylist = marking("unmark_playlist_v1", callAs);
