import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";
import type { TrackBody, TrackRow } from "./tracks.ts";

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
  /** Of all that the page is made of; null where something of it is for this reader only. */
  mark: string | null;
  ids: number[] | null;
  /** Null where there is no body. */
  versions: (string | null)[];
  comments: number[];
  downloads: number[];
  plays: number[];
  favoritings: number[];
  reposts: number[];
  /** By id. The others may be played. */
  previews: number[] | null;
  blocked: number[] | null;
  /** Of those that the reader does not hold. */
  bodies: TrackBodies | null;
  /** The reader's own tracks and private ones, whole. */
  own: TrackRow[] | null;
  /** Those that the reader favors; null where no user asks. */
  favored: number[] | null;
  /** How often the reader played those that they did, by id; null where no user asks. */
  played: Record<string, number> | null;
  /** Ids of those that follow where descriptions came to too much. */
  rest: number[] | null;
}

export type Columns<Row> = { [Column in keyof Row]: Row[Column][] };

/** In no order. */
export type TrackBodies = Columns<Omit<TrackBody, "user">> & { owners: Columns<Omit<MiniUserRow, "id">> };

/** Only the mark, where the page is the one that the reader holds. */
export type FoundTracks = TrackColumns | { mark: string };

/** What the reader holds of a list. */
export interface KnownTracks {
  /** Of its last page, while that is held whole. */
  mark: string | undefined;
  /** `id:version` of each body that need not come again, with blanks between. */
  held: string;
}

export type TrackList =
  | { owner_found: false }
  | { owner_found: true; tracks: FoundTracks; next?: TrackPosition | null };

export interface TrackListQuery {
  /** What `find_tracks` reads. */
  filter: object;
  page: TrackPage;
  country: string | undefined;
  known: KnownTracks;
}

/** The tracks of a page that are for this caller. */
export const listTracks = (db: Database, caller: Caller, { filter, page, country, known }: TrackListQuery) =>
  callAs<TrackList>(
    db,
    "list_tracks",
    caller,
    country ?? null,
    JSON.stringify(filter),
    JSON.stringify(page),
    JSON.stringify(known),
  );

/** Opens the next range of the search where the last one is full. `rows` is how many that are. */
export const extendTrackSearch = (db: Database, rows: number) =>
  db.call<boolean>("extend_track_search", [rows]);
