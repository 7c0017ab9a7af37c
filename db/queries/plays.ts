import type { Database } from "../client.ts";
import { bytea, type Caller, callAs, repeatAs } from "./caller.ts";
import type { Change } from "./own-tracks.ts";
import type { FoundTracks, KnownTracks } from "./track-lists.ts";
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
  db.call<number>("count_plays", [JSON.stringify(plays)], "repeatable");

/** A play that a client tells of, counted as one that was heard. */
export const playTrack = (db: Database, caller: Caller, id: number, with_: Presented, mark: Uint8Array) =>
  repeatAs<Change | { outcome: "not_ready" }>(db, "play_track", caller, id, ...presented(with_), bytea(mark));

/** Where a page ended: microseconds, negative where the last play comes first. */
export interface RecentPosition {
  key: number;
  id: number;
}

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
  callAs<{ found: true; tracks: FoundTracks; next: RecentPosition | null }>(
    db,
    "list_recent_plays",
    caller,
    country ?? null,
    JSON.stringify(filter),
    JSON.stringify(page),
    JSON.stringify(known),
  );

/** Drops the marks that stop no play any more. */
export async function forgetPlayMarks(db: Database): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if ((await db.call<number>("forget_play_marks", [FORGOTTEN])) < FORGOTTEN) return;
}
