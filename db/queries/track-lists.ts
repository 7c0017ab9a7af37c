import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { MiniUserRow } from "./people.ts";
import { TrackBody, TrackRow } from "./tracks.ts";

/** Where a page ended. In a ranking `low` and `high` are the ends of what is ranked. */
export const TrackPosition = () =>
  z.strictObject({
    id: z.number(),
    rank: z.number().optional(),
    low: z.number().optional(),
    high: z.number().optional(),
  });
export type TrackPosition = Told<typeof TrackPosition>;

export interface TrackPage extends Partial<TrackPosition> {
  limit: number;
  offset: number;
  ascending: boolean;
  /** Best match first, where words are searched. */
  ranked: boolean;
}

/** A page by columns. Columns that have an entry for each track are null where the page is empty. */
export const TrackColumns = () =>
  z.strictObject({
    /** Of all that the page is made of; null where something of it is for this reader only. */
    mark: z.string().nullable(),
    ids: z.array(z.number()).nullable(),
    /** Null where there is no body. */
    versions: z.array(z.string().nullable()).nullable(),
    comments: z.array(z.number()).nullable(),
    downloads: z.array(z.number()).nullable(),
    plays: z.array(z.number()).nullable(),
    favoritings: z.array(z.number()).nullable(),
    reposts: z.array(z.number()).nullable(),
    /** By id. The others may be played. */
    previews: z.array(z.number()).nullable(),
    blocked: z.array(z.number()).nullable(),
    /** Of those that the reader does not hold. */
    bodies: TrackBodies().nullable(),
    /** The reader's own tracks and private ones, whole. */
    own: z.array(TrackRow()).nullable(),
    /** Those that the reader favors; null where no user asks. */
    favored: z.array(z.number()).nullable(),
    /** How often the reader played those that they did, by id; null where no user asks. */
    played: z.record(z.string(), z.number()).nullable(),
    /** Ids of those that follow where descriptions came to too much. */
    rest: z.array(z.number()).nullable(),
  });
export type TrackColumns = Told<typeof TrackColumns>;

export type Columns<Row> = { [Column in keyof Row]: Row[Column][] };

/** In no order. */
export const TrackBodies = () =>
  columnsOf(TrackBody().omit({ user: true })).extend({ owners: columnsOf(MiniUserRow().omit({ id: true })) });
export type TrackBodies = Columns<Omit<TrackBody, "user">> & { owners: Columns<Omit<MiniUserRow, "id">> };

type ColumnsShape<Shape extends z.ZodRawShape> = { [Column in keyof Shape]: z.ZodArray<Shape[Column]> };

/** A list of each column of these rows. TypeScript loses the keys on the way through `Object.entries`. */
function columnsOf<Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>) {
  const columns = Object.entries(row.shape).map(([name, value]) => [name, z.array(value)]);
  return z.strictObject(Object.fromEntries(columns) as ColumnsShape<Shape>);
}

/** Only the mark, where the page is the one that the reader holds. */
export const FoundTracks = () =>
  z.union([
    TrackColumns(),
    z.strictObject({
      mark: z.string(),
    }),
  ]);
export type FoundTracks = Told<typeof FoundTracks>;

/** What the reader holds of a list. */
export interface KnownTracks {
  /** Of its last page, while that is held whole. */
  mark: string | undefined;
  /** `id:version` of each body that need not come again, with blanks between. */
  held: string;
}

export const TrackList = () =>
  z.union([
    z.strictObject({
      owner_found: z.literal(false),
    }),
    z.strictObject({
      owner_found: z.literal(true),
      tracks: FoundTracks(),
      next: TrackPosition().nullable().optional(),
    }),
  ]);
export type TrackList = Told<typeof TrackList>;

export interface TrackListQuery {
  /** What `find_tracks` reads. */
  filter: object;
  page: TrackPage;
  country: string | undefined;
  known: KnownTracks;
}

/** The tracks of a page that are for this caller. */
export const listTracks = (db: Database, caller: Caller, { filter, page, country, known }: TrackListQuery) =>
  callAs(db, "list_tracks", TrackList, caller, { country: country ?? null, filter, page, known });

/** Opens the next range of the search where the last one is full. `rows` is how many that are. */
export const extendTrackSearch = (db: Database, rows: number) =>
  db.call("extend_track_search", () => z.boolean(), { rows });
