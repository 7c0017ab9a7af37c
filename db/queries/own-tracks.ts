import * as z from "zod";
import type { Database } from "../client.ts";
import { changeOf, type Told } from "../shape.ts";
import { type Caller, callAs, callAtLengthAs, repeatAs } from "./caller.ts";
import { MiniUserRow } from "./people.ts";
import { type Presented, presented, TrackRow } from "./tracks.ts";

/** Why nothing was changed. `unknown` is also a track that the caller may not see. */
export const Refusal = () =>
  z.enum([
    "unknown",
    "not_yours",
    "changed",
    "unknown_label",
    "no_such_date",
    "unknown_user",
    "needs_user",
    "blocked",
    "not_downloadable",
    "not_failed",
    "not_retryable",
  ]);
export type Refusal = Told<typeof Refusal>;

export type Change<Result = object> = ({ outcome: "done" } & Result) | { outcome: Refusal };

export const Changed = () => changeOf(Refusal(), {});

/** What `updated_at` has to be for a change to be made: one of these; null where anything. */
export type Expected = string[] | null;

const Updated = () =>
  changeOf(Refusal(), {
    track: TrackRow(),
  });

/** `columns` are what the owner may write; those left out stay as they are. */
export function updateTrack(
  db: Database,
  caller: Caller,
  id: number,
  columns: Record<string, unknown>,
  expected: Expected,
) {
  const given = { id, changes: columns, expected };
  // What is expected no longer holds once it was done.
  const sending = expected ? "once" : "repeatable";
  // All who like a track count it, or no longer do, with who may see it.
  if ("sharing" in columns) return callAtLengthAs(db, "update_track", Updated, caller, given, sending);
  return callAs(db, "update_track", Updated, caller, given, sending);
}

/** With all that others set on it. Its objects become garbage. An encode in flight finds its job gone. */
export const deleteTrack = (db: Database, caller: Caller, id: number, expected: Expected) =>
  callAtLengthAs(db, "delete_track", Changed, caller, { id, expected });

export const rotateTrackSecret = (
  db: Database,
  caller: Caller,
  id: number,
  secret: { hash: Uint8Array; sealed: Uint8Array },
) =>
  repeatAs(db, "rotate_track_secret", Changed, caller, {
    id,
    secret_hash: secret.hash,
    secret_sealed: secret.sealed,
  });

export const TrackSharesRow = () =>
  z.strictObject({
    users: z.array(MiniUserRow()),
    note: z.string().nullable(),
  });
export type TrackSharesRow = Told<typeof TrackSharesRow>;

export const findTrackShares = (db: Database, caller: Caller, id: number) =>
  callAs(db, "find_track_shares", () => changeOf(Refusal(), TrackSharesRow().shape), caller, { id });

/** The whole list replaces the one before. */
export const shareTrack = (
  db: Database,
  caller: Caller,
  id: number,
  userIds: number[],
  note: string | null,
) =>
  repeatAs(db, "share_track", () => changeOf(Refusal(), TrackSharesRow().shape), caller, {
    id,
    users: userIds,
    note,
  });

/**
 * The uploaded file, where the caller may have it; `counts` adds one to the track's downloads. Of a statement that is
 * sent again because its reply was lost two may be counted: better than no file.
 */
export const downloadTrack = (db: Database, caller: Caller, id: number, with_: Presented, counts: boolean) =>
  callAs(
    db,
    "download_track",
    () =>
      changeOf(Refusal(), {
        key: z.string(),
        filename: z.string(),
      }),
    caller,
    { id, ...presented(with_), counts },
  );

/** The track is in processing again, under a new generation of its job. */
export const retryTrack = (db: Database, caller: Caller, id: number) =>
  callAs(
    db,
    "retry_track",
    () =>
      changeOf(Refusal(), {
        track: TrackRow(),
        generation: z.number(),
      }),
    caller,
    { id },
  );
