import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";
import type { TrackRow } from "./tracks.ts";

/** Where a page ended. In a ranking `low` and `high` are the ends of what is ranked. */
export interface TrackPosition {
  id: number;
  rank?: number;
  low?: number;
  high?: number;
}

export interface TrackPage extends Partial<TrackPosition> {
  limit: number;
  offset: number;
  ascending: boolean;
  /** Best match first, where words are searched. */
  ranked: boolean;
}

export type TrackList =
  | { owner_found: false }
  | { owner_found: true; tracks: TrackRow[]; next: TrackPosition | null };

/** The tracks of a page that are for this caller. `filter` is what `find_tracks_v1` reads; `next` is where the page ended. */
export const listTracks = (
  db: Database,
  caller: Caller,
  country: string | undefined,
  filter: object,
  page: TrackPage,
) =>
  callAs<TrackList>(
    db,
    "list_tracks_v1",
    caller,
    country ?? null,
    JSON.stringify(filter),
    JSON.stringify(page),
  );

/** Opens the next range of the search where the last one is full. `rows` is how many that are. */
export const extendTrackSearch = (db: Database, rows: number) =>
  db.call<boolean>("extend_track_search_v1", [rows]);
