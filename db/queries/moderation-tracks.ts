import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { tracks } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";
import type { By } from "./moderation.ts";

export const ModeratedTrack = () =>
  rowOf(tracks)
    .pick({
      ...{ id: true, title: true, permalink: true, sharing: true, state: true, duration_ms: true },
      ...{ user_id: true, taken_down_at: true },
    })
    .extend({
      created_at: z.string(),
      user_permalink: z.string(),
      bytes: z.number(),
      taken_down_for: z.string().nullable(),
      open_reports: z.number(),
    });
export type ModeratedTrack = ReplyOf<typeof ModeratedTrack>;

/** A track as operators name one: by id, or by both permalinks. */
export interface MeantTrack {
  id: number | null;
  owner: string | null;
  permalink: string | null;
}

export const showTrack = (db: Database, meant: MeantTrack) =>
  db.call("find_moderated_track", () => ModeratedTrack().nullable(), { ...meant });

const TrackAct = () =>
  z.union([
    z.strictObject({ outcome: z.enum(["done", "already"]), track: ModeratedTrack() }),
    z.strictObject({ outcome: z.literal("unknown") }),
  ]);
export type TrackAct = ReplyOf<typeof TrackAct>;

/** Both recount the public likes of everybody who likes the track. */
export const takeDownTrack = (db: Database, by: By & { reason: string }, track: number) =>
  db.callAtLength("take_down_track", TrackAct, { by, track });

export const putBackTrack = (db: Database, by: By, track: number) =>
  db.callAtLength("put_back_track", TrackAct, { by, track });
