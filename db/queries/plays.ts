import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { Changed } from "./own-tracks.ts";
import { OrderedTracks, type OrderedTracksQuery } from "./track-lists.ts";
import { type AccessFacts, accessParameters, TrackRow } from "./tracks.ts";

/** One play of a track, as in the queue's message. */
export interface Play {
  track: number;
  /** Base64 digest of listener and track. */
  mark: string;
  /** User whose history records it; null for an app's own token and for page visitors. */
  user: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Returns how many plays count. Repeated plays count nothing. */
export const countPlays = (db: Database, plays: Play[]) =>
  db.call("count_plays", () => z.number(), { plays: JSON.stringify(plays) }, "repeatable");

/** Counts a play that a client reports. */
export const playTrack = (db: Database, caller: Caller, id: number, facts: AccessFacts, mark: Uint8Array) =>
  repeatAs(
    db,
    "play_track",
    () =>
      z.union([
        Changed(),
        z.strictObject({
          outcome: z.literal("not_ready"),
          state: TrackRow().shape.state,
        }),
      ]),
    caller,
    { id, ...accessParameters(facts), mark },
  );

/** End of a page, in microseconds; negative if the latest play comes first. */
export const RecentPosition = () =>
  z.strictObject({
    key: z.number(),
    id: z.number(),
  });
export type RecentPosition = ReplyOf<typeof RecentPosition>;

/** Lists tracks that the caller played, each once, latest play first. */
export const listRecentPlays = (
  db: Database,
  caller: Caller,
  country: string | undefined,
  { filter, page, held }: OrderedTracksQuery<RecentPosition>,
) =>
  callAs(db, "list_recent_plays", () => OrderedTracks(RecentPosition()), caller, {
    country: country ?? null,
    filter,
    page,
    held,
  });

/** Deletes some marks that are too old to stop another play from counting, and returns their number. */
export const forgetPlayMarks = (db: Database, limit: number) =>
  db.call("forget_play_marks", () => z.number(), { limit });
