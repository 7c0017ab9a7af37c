import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, callAtLengthAs, repeatAs, type SignedIn, signedIn } from "./caller.ts";
import { miniOf } from "./mini-user.ts";
import { MiniUserRow } from "./people.ts";
import { type AccessFacts, accessParameters, TrackRow } from "./track-rows.ts";
import { trackAccess } from "./visibility.ts";

/** Reasons for a refused change. `unknown` includes tracks hidden from the caller. */
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
    "taken_down",
  ]);
export type Refusal = ReplyOf<typeof Refusal>;

export type Change<Result = object> = ({ outcome: "done" } & Result) | { outcome: Refusal };

export const Changed = () => changeOf(Refusal(), {});

/** Accepted values of `updated_at`; null accepts any. */
export type Expected = string[] | null;

const Updated = () =>
  changeOf(Refusal(), {
    track: TrackRow(),
  });

/** `columns` are columns that the owner may write; omitted ones stay unchanged. */
export function updateTrack(
  db: Database,
  caller: Caller,
  id: number,
  columns: Record<string, unknown>,
  expected: Expected,
) {
  const given = { id, changes: columns, expected };
  // A conditional update cannot be repeated: its own success invalidates the condition.
  const sending = expected ? "once" : "repeatable";
  // Changing the visibility recounts the public favorites of everyone whose favorite it is.
  const call = "sharing" in columns ? callAtLengthAs : callAs;
  return call(db, "update_track", Updated, caller, given, sending);
}

/** Deletes a track with its comments, favorites and reposts. Its objects become garbage, and a running encode loses its job. */
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

const member = alias(users, "member");

export const TrackSharesRow = () =>
  z.strictObject({
    users: z.array(MiniUserRow()),
    note: z.string().nullable(),
  });
export type TrackSharesRow = ReplyOf<typeof TrackSharesRow>;

/** Finds with whom the caller's track is shared, and the latest note. */
export async function findTrackShares(
  db: Database,
  caller: SignedIn,
  id: number,
): Promise<Change<TrackSharesRow>> {
  const opening = { user: sql`${caller.userId}::bigint`, secret_hash: sql`null::bytea`, country: sql`null` };
  const rows = await db.read((on) =>
    on
      .select({ owner: tracks.userId, note: trackShares.note, member: miniOf(member) })
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .leftJoin(trackShares, eq(trackShares.trackId, tracks.id))
      .leftJoin(member, and(eq(member.id, trackShares.userId), isNull(member.disabledAt)))
      .where(and(signedIn(caller), eq(tracks.id, id), sql`${trackAccess(opening)} <> 'none'`))
      .orderBy(trackShares.id),
  );
  const [first] = rows;
  if (first?.owner !== caller.userId) return { outcome: first ? "not_yours" : "unknown" };
  const shares = rows.filter(({ member }) => member !== null);
  return {
    outcome: "done",
    users: shares.flatMap(({ member }) => member ?? []),
    note: shares.at(-1)?.note ?? null,
  };
}

const Shared = () =>
  z.union([changeOf(Refusal(), { ...TrackSharesRow().shape, spent: Spent().nullable() }), OverBudget()]);

/** Replaces the whole list of shares. */
export const shareTrack = (
  db: Database,
  caller: Caller,
  id: number,
  shared: { users: number[]; note: string | null; budget: BudgetLimit | null },
) => repeatAs(db, "share_track", Shared, caller, { id, ...shared });

/**
 * Finds the original, if the caller may download it; `counts` increments the track's downloads. A statement sent again
 * may count twice, which is better than no file.
 */
export const downloadTrack = (
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  counts: boolean,
) =>
  callAs(
    db,
    "download_track",
    () =>
      changeOf(Refusal(), {
        key: z.string(),
        filename: z.string(),
      }),
    caller,
    { id, ...accessParameters(facts), counts },
  );

/** Returns the track to processing, under a new generation of its job. */
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
