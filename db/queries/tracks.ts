import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, firstRow, repeatAs } from "./caller.ts";
import { presentTrack } from "./links.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { type AccessFacts, TrackRow } from "./track-rows.ts";
import { OverQuota } from "./uploads.ts";

/**
 * Finds a track, or the one that took its place. `undefined` if it does not exist or is hidden from the caller; replies do not
 * distinguish the two.
 */
export const findTrack = (db: Database, caller: Caller, id: number, facts: AccessFacts) =>
  db
    .read(showTracks.with({ ...shownTo(caller, facts), ids: sql`array[${presentTrack(id)}]` }))
    .then(firstRow);

export interface NewTrack {
  uploadId: number;
  /** Columns that the owner may write. */
  fields: Record<string, unknown>;
  /** Counts the users who are asked whether they are its artists. */
  creditBudget: BudgetLimit | null;
  /** Preferred permalink, made unique among the owner's. */
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
}

/** Fields that contradict each other or the database. */
const TrackFault = () => z.enum(["unknown_label", "no_such_date"]);

/** A user who does not exist, at this place among the artists. */
export const UnknownArtist = () =>
  z.strictObject({ outcome: z.literal("unknown_artist"), place: z.number() });
export type UnknownArtist = ReplyOf<typeof UnknownArtist>;

export const TrackCreation = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["created", "exists"]),
      track: TrackRow(),
      spent: Spent().nullish(),
    }),
    UnknownArtist(),
    OverBudget(),
    z.strictObject({
      outcome: z.union([z.literal("unknown_upload"), TrackFault()]),
    }),
    z.strictObject({
      outcome: z.literal("not_ready"),
      status: z.string(),
    }),
    OverQuota(),
  ]);
export type TrackCreation = ReplyOf<typeof TrackCreation>;

/**
 * Creates track and job and uses up the upload, in one transaction. Repeating it for the same upload returns the
 * first track.
 */
export const createTrack = (db: Database, caller: Caller, track: NewTrack) =>
  repeatAs(db, "create_track", TrackCreation, caller, {
    upload: track.uploadId,
    track: track.fields,
    permalink: track.permalink,
    secret_hash: track.secretHash,
    secret_sealed: track.secretSealed,
    credit_budget: track.creditBudget,
  });
