import * as z from "zod";
import type { Database } from "../client.ts";
import { type Columns, columnsOf } from "../row-shape.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { MiniUserRow } from "./people.ts";
import { TrackBody, TrackRow } from "./tracks.ts";

/** End of a page. In a ranking, `low` and `high` bound the ranked range. */
const TrackPosition = () =>
  z.strictObject({
    id: z.number(),
    rank: z.number().optional(),
    low: z.number().optional(),
    high: z.number().optional(),
  });
export type TrackPosition = ReplyOf<typeof TrackPosition>;

interface TrackPage extends Partial<TrackPosition> {
  limit: number;
  offset: number;
  ascending: boolean;
  /** Sorts the best match first, if the filter has words. */
  ranked: boolean;
}

/** A page by columns. Columns with an entry for each track are null if the page is empty. */
export const TrackColumns = () =>
  z.strictObject({
    ids: z.array(z.number()).nullable(),
    /** Null for tracks without a body. */
    versions: z.array(z.string().nullable()).nullable(),
    comments: z.array(z.number()).nullable(),
    downloads: z.array(z.number()).nullable(),
    plays: z.array(z.number()).nullable(),
    favoritings: z.array(z.number()).nullable(),
    reposts: z.array(z.number()).nullable(),
    /** Ids of previews and blocked tracks. The others are playable. */
    previews: z.array(z.number()).nullable(),
    blocked: z.array(z.number()).nullable(),
    /** Bodies that the reader has not cached. */
    bodies: TrackBodies().nullable(),
    /** The reader's own tracks and private ones, complete. */
    own: z.array(TrackRow()).nullable(),
    /** Favorites of the reader; null if no user asks. */
    favored: z.array(z.number()).nullable(),
    /** The reader's play counts by id; null if no user asks. */
    played: z.record(z.string(), z.number()).nullable(),
    /** Ids of tracks omitted because descriptions exceeded the page's size. */
    rest: z.array(z.number()).nullable(),
  });
export type TrackColumns = ReplyOf<typeof TrackColumns>;

/** Unordered. */
export const TrackBodies = () =>
  columnsOf(TrackBody().omit({ user: true })).extend({ owners: columnsOf(MiniUserRow().omit({ id: true })) });
export type TrackBodies = Columns<Omit<TrackBody, "user">> & { owners: Columns<Omit<MiniUserRow, "id">> };

const TrackList = () =>
  z.union([
    z.strictObject({
      owner_found: z.literal(false),
    }),
    z.strictObject({
      owner_found: z.literal(true),
      tracks: TrackColumns(),
      next: TrackPosition().nullable().optional(),
    }),
  ]);

interface TrackListQuery {
  /** Parsed by `find_tracks`. */
  filter: object;
  page: TrackPage;
  country: string | undefined;
  /** `id:version` of each track that the isolate has cached, separated by blanks. */
  held: string;
}

/** Lists the tracks of a page that the caller sees. */
export const listTracks = (db: Database, caller: Caller, { filter, page, country, held }: TrackListQuery) =>
  callAs(db, "list_tracks", TrackList, caller, { country: country ?? null, filter, page, held });

/** A page of a list whose order only its statement knows. */
export interface OrderedTracksQuery<Position> {
  /** Parsed by `find_tracks`. */
  filter: object;
  /** `ascending` sorts by age; `undefined` means the list's own order. */
  page: { limit: number; offset: number; ascending?: boolean | undefined } & Partial<Position>;
  held: string;
}

export const OrderedTracks = <Position extends z.ZodType>(position: Position) =>
  z.strictObject({
    found: z.literal(true),
    tracks: TrackColumns(),
    next: position.nullable(),
  });

/** Opens the next range of the search index once the last one holds `rows` rows. */
export const extendTrackSearch = (db: Database, rows: number) =>
  db.call("extend_track_search", () => z.boolean(), { rows });
