import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";
import type { Access, TrackBody, TrackRow } from "./tracks.ts";

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

/** A page by columns; null where it is empty. */
export interface TrackColumns {
  ids: number[] | null;
  /** Null where there is no body. */
  versions: (string | null)[];
  access: Access[];
  comments: number[];
  downloads: number[];
  plays: number[];
  favoritings: number[];
  reposts: number[];
  /** Null where the reader holds the version, and of the reader's own. */
  bodies: (TrackBody | null)[];
  /** The reader's own tracks, whole. */
  own: (TrackRow | null)[];
  /** Those that the reader favors; null where no user asks. */
  favored: number[] | null;
}

export type TrackList =
  | { owner_found: false }
  | { owner_found: true; tracks: TrackColumns; next?: TrackPosition | null };

export interface TrackListQuery {
  /** What `find_tracks_v1` reads. */
  filter: object;
  page: TrackPage;
  country: string | undefined;
  /** Versions by id of the bodies that need not come again. */
  known: Record<number, string>;
}

/** The tracks of a page that are for this caller. */
export const listTracks = (db: Database, caller: Caller, { filter, page, country, known }: TrackListQuery) =>
  callAs<TrackList>(
    db,
    "list_tracks_v1",
    caller,
    country ?? null,
    JSON.stringify(filter),
    JSON.stringify(page),
    JSON.stringify(known),
  );

/** Opens the next range of the search where the last one is full. `rows` is how many that are. */
export const extendTrackSearch = (db: Database, rows: number) =>
  db.call<boolean>("extend_track_search_v1", [rows]);
