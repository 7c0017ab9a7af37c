import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database } from "../client.ts";
import { counterDeltas } from "../schema/counters.ts";
import { users } from "../schema/people.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { builder, selected } from "../stored-select.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, callAtLengthAs, type SignedIn, sessionOf, signedIn } from "./caller.ts";
import { miniOf } from "./mini-user.ts";
import { MiniUserRow } from "./people.ts";
import { type AccessFacts, TrackRow } from "./track-rows.ts";
import { UnknownArtist } from "./tracks.ts";
import { openingOf, seesTrack, trackAccess } from "./visibility.ts";

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
    "no_original",
    "taken_down",
    "time_passed",
    "is_public",
    "permalink_taken",
    "no_old_track",
    "not_finished",
    "is_down",
  ]);
export type Refusal = ReplyOf<typeof Refusal>;

export type Change<Result = object> = ({ outcome: "done" } & Result) | { outcome: Refusal };

export const Changed = () => changeOf(Refusal(), {});

/** Accepted values of `updated_at`; null accepts any. */
export type Expected = string[] | null;

/** A change that names no artists. */
export const TrackChanged = () => changeOf(Refusal(), { track: TrackRow(), spent: Spent().nullish() });

const Updated = () => z.union([TrackChanged(), UnknownArtist(), OverBudget()]);

/** `columns` are columns that the owner may write; omitted ones stay unchanged. */
export function updateTrack(
  db: Database,
  caller: Caller,
  id: number,
  columns: Record<string, unknown>,
  { expected, creditBudget }: { expected: Expected; creditBudget: BudgetLimit | null },
) {
  const given = { id, changes: columns, expected, credit_budget: creditBudget };
  // A conditional update cannot be repeated: its own success invalidates the condition.
  const sending = expected ? "once" : "repeatable";
  // Changing the visibility recounts the public favorites of everyone whose favorite it is.
  const call = "sharing" in columns ? callAtLengthAs : callAs;
  return call(db, "update_track", Updated, caller, given, sending);
}

/** Deletes a track with its comments, favorites and reposts. Its objects become garbage, and a running encode loses its job. */
export const deleteTrack = (db: Database, caller: Caller, id: number, expected: Expected) =>
  callAtLengthAs(db, "delete_track", Changed, caller, { id, expected });

/**
 * Lets a track take the place of an older one, which is deleted. Both are the caller's. Its likes, comments and plays move,
 * which may be a million rows. A repetition changes nothing.
 */
export const supersedeTrack = (db: Database, caller: Caller, id: number, old: number) =>
  callAtLengthAs(db, "supersede_track", TrackChanged, caller, { id, old }, "repeatable");

/** Replaces the secret, which invalidates links and media URLs with the previous one. */
export async function rotateTrackSecret(
  db: Database,
  caller: SignedIn,
  id: number,
  secret: { secretHash: Uint8Array; secretSealed: Uint8Array },
): Promise<Change> {
  const rotated = await db.write(
    (on) =>
      on
        .update(tracks)
        .set({ ...secret, updatedAt: sql`now()` })
        .where(and(signedIn(caller), eq(tracks.id, id), eq(tracks.userId, caller.userId)))
        .returning({ id: tracks.id }),
    "repeatable",
  );
  if (rotated.length) return { outcome: "done" };
  const [seen] = await db.read(selected(withShares(caller, id)));
  return { outcome: seen ? "not_yours" : "unknown" };
}

const member = alias(users, "member");

export const TrackSharesRow = () =>
  z.strictObject({
    users: z.array(MiniUserRow()),
    note: z.string().nullable(),
  });
export type TrackSharesRow = ReplyOf<typeof TrackSharesRow>;

/** A track that the caller sees, joined with the users with whom it is shared. */
const withShares = (caller: SignedIn, id: number) =>
  builder
    .select({ owner: tracks.userId, note: trackShares.note, member: miniOf(member) })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .leftJoin(trackShares, eq(trackShares.trackId, tracks.id))
    .leftJoin(member, and(eq(member.id, trackShares.userId), isNull(member.disabledAt)))
    .where(and(signedIn(caller), eq(tracks.id, id), seesTrack(openingOf(caller.userId))))
    .orderBy(trackShares.id);

function toShares(rows: Awaited<ReturnType<typeof withShares>>): TrackSharesRow {
  const shares = rows.filter(({ member }) => member !== null);
  return { users: shares.flatMap(({ member }) => member ?? []), note: shares.at(-1)?.note ?? null };
}

/** Finds the users with whom the caller's track is shared, and the latest note. */
export async function findTrackShares(
  db: Database,
  caller: SignedIn,
  id: number,
): Promise<Change<TrackSharesRow>> {
  const rows = await db.read(selected(withShares(caller, id)));
  const [first] = rows;
  if (first?.owner !== caller.userId) return { outcome: first ? "not_yours" : "unknown" };
  return { outcome: "done", ...toShares(rows) };
}

const Shared = () => z.union([changeOf(Refusal(), { spent: Spent().nullable() }), OverBudget()]);

/** Replaces the whole list of shares. */
export async function shareTrack(
  db: Database,
  caller: SignedIn,
  id: number,
  shared: { users: number[]; note: string | null; budget: BudgetLimit | null },
) {
  const { reply, read } = await db.callThenRead(
    "replace_track_shares",
    Shared,
    { ...sessionOf(caller), id, ...shared },
    [selected(withShares(caller, id))],
    "repeatable",
  );
  return reply.outcome === "done" ? { ...reply, ...toShares(read[0]) } : reply;
}

/**
 * Finds the original: in any state for the owner, for others if downloadable and found to be audio. `counts` increments the
 * track's downloads. A statement sent again may count twice, which is better than no file.
 */
export async function downloadTrack(
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  counts: boolean,
): Promise<Change<{ key: string; filename: string }>> {
  const opening = openingOf(caller.userId, facts.secretHash, facts.country);
  const access = trackAccess(opening);
  const outcome = sql<"done" | "needs_user" | "not_downloadable" | "blocked">`case
    when ${tracks.sharing} = 'private' and ${opening.user} is null then 'needs_user'
    when (${tracks.userId} = ${opening.user}) is not true and not (${tracks.downloadable} and ${tracks.state} = 'finished')
      then 'not_downloadable'
    when ${access} <> 'playable' then 'blocked'
    when ${tracks.originalDeletedAt} is not null then 'not_downloadable' else 'done' end`;
  const [found] = await db.write((on) => {
    const original = on.$with("original").as(
      on
        .select({
          id: tracks.id,
          outcome: outcome.as("outcome"),
          key: tracks.originalKey,
          filename: tracks.originalFilename,
        })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(and(eq(tracks.id, id), sql`${access} <> 'none'`)),
    );
    const counted = on.$with("counted", {}).as(sql`
      insert into ${counterDeltas} (kind, subject_id, counter, delta)
      select 'track', ${original.id}, 'download_count', 1 from ${original} where ${original.outcome} = 'done' and ${counts}`);
    return on.with(original, counted).select().from(original).where(signedIn(caller));
  });
  if (!found) return { outcome: "unknown" };
  const { key, filename } = found;
  return found.outcome === "done" ? { outcome: "done", key, filename } : { outcome: found.outcome };
}

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
