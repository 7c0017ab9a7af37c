import type { Database } from "../client.ts";
import { bytea, type Caller, callAs, callAtLengthAs, repeatAs } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";
import { type Presented, presented, type TrackFault, type TrackRow } from "./tracks.ts";

/** Why nothing was changed. `unknown` is also a track that the caller may not see. */
export type Refusal =
  | "unknown"
  | "not_yours"
  | "changed"
  | TrackFault
  | "unknown_user"
  | "needs_user"
  | "blocked"
  | "not_downloadable"
  | "not_failed"
  | "not_retryable";

export type Change<Result = object> = ({ outcome: "done" } & Result) | { outcome: Refusal };

/** What `updated_at` has to be for a change to be made: one of these; null where anything. */
export type Expected = string[] | null;

const anyOf = (expected: Expected) => expected && `{${expected}}`;

type Updated = Change<{ track: TrackRow }>;

/** `columns` are what the owner may write; those left out stay as they are. */
export function updateTrack(
  db: Database,
  caller: Caller,
  id: number,
  columns: Record<string, unknown>,
  expected: Expected,
) {
  const parameters = [id, JSON.stringify(columns), anyOf(expected)];
  // What is expected no longer holds once it was done.
  const sending = expected ? "once" : "repeatable";
  // All who like a track count it, or no longer do, with who may see it.
  if ("sharing" in columns) return callAtLengthAs<Updated>(db, "update_track", caller, parameters, sending);
  return (expected ? callAs : repeatAs)<Updated>(db, "update_track", caller, ...parameters);
}

/** With all that others set on it. Its objects become garbage. An encode in flight finds its job gone. */
export const deleteTrack = (db: Database, caller: Caller, id: number, expected: Expected) =>
  callAtLengthAs<Change>(db, "delete_track", caller, [id, anyOf(expected)]);

export const rotateTrackSecret = (
  db: Database,
  caller: Caller,
  id: number,
  secret: { hash: Uint8Array; sealed: Uint8Array },
) => repeatAs<Change>(db, "rotate_track_secret", caller, id, bytea(secret.hash), bytea(secret.sealed));

export interface TrackSharesRow {
  users: MiniUserRow[];
  note: string | null;
}

export const findTrackShares = (db: Database, caller: Caller, id: number) =>
  callAs<Change<TrackSharesRow>>(db, "find_track_shares", caller, id);

/** The whole list replaces the one before. */
export const shareTrack = (
  db: Database,
  caller: Caller,
  id: number,
  userIds: number[],
  note: string | null,
) => repeatAs<Change<TrackSharesRow>>(db, "share_track", caller, id, `{${userIds}}`, note);

/**
 * The uploaded file, where the caller may have it; `counts` adds one to the track's downloads. Of a statement that is
 * sent again because its reply was lost two may be counted: better than no file.
 */
export const downloadTrack = (db: Database, caller: Caller, id: number, with_: Presented, counts: boolean) =>
  callAs<Change<{ key: string; filename: string }>>(
    db,
    "download_track",
    caller,
    id,
    ...presented(with_),
    counts,
  );

/** The track is in processing again, under a new generation of its job. */
export const retryTrack = (db: Database, caller: Caller, id: number) =>
  callAs<Change<{ track: TrackRow; generation: number }>>(db, "retry_track", caller, id);
