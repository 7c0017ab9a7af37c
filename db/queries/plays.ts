import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { Changed } from "./own-tracks.ts";
import { FoundTracks, type KnownTracks } from "./track-lists.ts";
import { type Presented, presented } from "./tracks.ts";

/** Marks a statement, so that none holds its rows for long, and statements a run: what is left waits for the next. */
const FORGOTTEN = 10_000;
const MAX_BATCHES = 50;

/** One play of a track, as the queue carries it. */
export interface Play {
  track: number;
  /** Whose: stands for the listener and the track together. Base64. */
  mark: string;
  /** In whose history it goes; null for an app's own token and visitors of pages. */
  user: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** How many of them count. Sent again, they count nothing. */
export const countPlays = (db: Database, plays: Play[]) =>
  db.call("count_plays", () => z.number(), { plays: JSON.stringify(plays) }, "repeatable");

/** A play that a client tells of, counted as one that was heard. */
export const playTrack = (db: Database, caller: Caller, id: number, with_: Presented, mark: Uint8Array) =>
  repeatAs(
    db,
    "play_track",
    () =>
      z.union([
        Changed(),
        z.strictObject({
          outcome: z.literal("not_ready"),
        }),
      ]),
    caller,
    { id, ...presented(with_), mark },
  );

/** Where a page ended: microseconds, negative where the last play comes first. */
export const RecentPosition = () =>
  z.strictObject({
    key: z.number(),
    id: z.number(),
  });
export type RecentPosition = Told<typeof RecentPosition>;

interface RecentPlaysQuery {
  /** As `find_tracks` reads it. */
  filter: object;
  page: { limit: number; offset: number; ascending?: boolean | undefined } & Partial<RecentPosition>;
  known: KnownTracks;
}

/** What the caller played, each track once, the last play first. */
export const listRecentPlays = (
  db: Database,
  caller: Caller,
  country: string | undefined,
  { filter, page, known }: RecentPlaysQuery,
) =>
  callAs(
    db,
    "list_recent_plays",
    () =>
      z.strictObject({
        found: z.literal(true),
        tracks: FoundTracks(),
        next: RecentPosition().nullable(),
      }),
    caller,
    { country: country ?? null, filter, page, known },
  );

/** Drops the marks that stop no play any more. */
export async function forgetPlayMarks(db: Database): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if ((await db.call("forget_play_marks", () => z.number(), { limit: FORGOTTEN })) < FORGOTTEN) return;
}
