import type { Database } from "../client.ts";
import { bytea, type Caller, callAs, repeatAs } from "./caller.ts";
import type { Change } from "./own-tracks.ts";
import type { FoundTracks, KnownTracks } from "./track-lists.ts";
import { type Access, type Presented, presented } from "./tracks.ts";

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
  db.call<number>("count_plays_v1", [JSON.stringify(plays)], "repeatable");

/** A play that a client tells of, counted as one that was heard. */
export const playTrack = (db: Database, caller: Caller, id: number, with_: Presented, mark: Uint8Array) =>
  repeatAs<Change | { outcome: "not_ready" }>(
    db,
    "play_track_v1",
    caller,
    id,
    ...presented(with_),
    bytea(mark),
  );

export interface RecentPlaysQuery {
  country: string | undefined;
  /** What the caller may do with them; whatever it is where left out. */
  access: Access[] | undefined;
  limit: number;
  known: KnownTracks;
}

/** What the caller played, each track once, the last play first. */
export const listRecentPlays = (
  db: Database,
  caller: Caller,
  { country, access, limit, known }: RecentPlaysQuery,
) =>
  callAs<{ tracks: FoundTracks }>(
    db,
    "list_recent_plays_v1",
    caller,
    country ?? null,
    access ? `{${access}}` : null,
    limit,
    JSON.stringify(known),
  );

/** Drops the marks that stop no play any more. */
export async function forgetPlayMarks(db: Database): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if ((await db.call<number>("forget_play_marks_v1", [FORGOTTEN])) < FORGOTTEN) return;
}
