import * as z from "zod";
import { type Columns, columnsOf } from "../row-shape.ts";
import type { ReplyOf } from "../shape.ts";
import { MiniUserRow } from "./people.ts";
import { TrackRow } from "./track-rows.ts";

/** Fields that depend on the reader or change often. */
const NOW = {
  access: true,
  user_favorite: true,
  user_playback_count: true,
  comment_count: true,
  download_count: true,
  playback_count: true,
  favoritings_count: true,
  reposts_count: true,
} as const;

export const TrackNow = () => TrackRow().pick(NOW);
export type TrackNow = ReplyOf<typeof TrackNow>;

/** Fields that are the same for all readers but the owner, until the version changes. */
export const TrackBody = () =>
  TrackRow().omit({
    ...NOW,
    growing: true,
    owned: true,
    paywall: true,
    secret_hash: true,
    secret_sealed: true,
    encoding: true,
    takedown: true,
  });
export type TrackBody = ReplyOf<typeof TrackBody>;

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
