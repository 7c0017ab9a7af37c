import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAtLengthAs } from "./caller.ts";
import { Refusal } from "./own-tracks.ts";

/** The outcome for one track. `title` is null for a track that is not the caller's. */
const Outcome = () =>
  z.strictObject({
    id: z.number(),
    title: z.string().nullable(),
    outcome: z.enum(["done", "too_many_tags", ...Refusal().options]),
  });
export type TrackOutcome = ReplyOf<typeof Outcome>;

const Outcomes = () => z.strictObject({ outcome: z.literal("done"), tracks: z.array(Outcome()) });

interface TrackChanges {
  /** Omitted columns stay unchanged. */
  columns: Record<string, unknown>;
  /** Tags as a tag list writes them. */
  added: string[];
  /** The same in lower case. */
  removed: string[];
}

/** Changes the caller's tracks in one transaction. */
export const updateTracks = async (
  db: Database,
  caller: Caller,
  ids: number[],
  { columns, added, removed }: TrackChanges,
): Promise<TrackOutcome[]> =>
  // A change of visibility recounts the favorites of everybody who has them.
  (
    await callAtLengthAs(
      db,
      "update_tracks",
      Outcomes,
      caller,
      { ids, changes: columns, added, removed },
      "repeatable",
    )
  ).tracks;

/** Deletes the caller's tracks with their comments, favorites and reposts in one transaction. */
export const deleteTracks = async (db: Database, caller: Caller, ids: number[]): Promise<TrackOutcome[]> =>
  (await callAtLengthAs(db, "delete_tracks", Outcomes, caller, { ids })).tracks;
