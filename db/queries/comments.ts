import { and, eq, exists, inArray, isNull, or, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { comments } from "../schema/comments.ts";
import { users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";
import { builder } from "../stored-select.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, firstRow, type SignedIn, sessionOf, signedIn } from "./caller.ts";
import type { Expected } from "./own-tracks.ts";
import { MiniUserRow } from "./people.ts";
import { isBelow, newestFirst, pending, showComments, shown, showTrackComments } from "./show-comments.ts";
import { existingUser } from "./users.ts";
import { isRevealed, openingOf, seesTrack } from "./visibility.ts";

export const CommentRow = () =>
  rowOf(comments)
    .omit({ sanitizer_version: true })
    .extend({
      created_at: z.string(),
      user: MiniUserRow().extend(
        rowOf(users).pick({ followers_count: true, followings_count: true, reposts_count: true }).shape,
      ),
    });
export type CommentRow = ReplyOf<typeof CommentRow>;

/** Columns that the author writes. `undefined` leaves a column unchanged. */
export interface CommentColumns {
  body?: string | undefined;
  sanitizer_version?: number | undefined;
  timestamp_ms?: number | null | undefined;
}

/** `parent_id` names any comment of the thread that the new one joins. */
interface NewCommentColumns extends CommentColumns {
  parent_id?: number | null | undefined;
}

/** Id of a comment, which must belong to the track `trackId`. */
export interface CommentKey {
  trackId: number;
  id: number;
}

/** SHA-256 of the request's secret token, which may grant access to the track. */
type SecretHash = Uint8Array | undefined;

/** Matches a comment that the caller sees: not of an author who left. Its track must be joined, and `users` as the track's owner. */
function isSeen(caller: Caller, secretHash?: SecretHash) {
  const opening = openingOf(caller.userId, secretHash);
  const author = builder
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, comments.userId), isNull(users.disabledAt)));
  return and(seesTrack(opening), isRevealed(opening.user), exists(author));
}

const isOf = ({ trackId, id }: Partial<CommentKey> & { id: number }) =>
  and(eq(comments.id, id), trackId === undefined ? undefined : eq(comments.trackId, trackId));

/** `undefined` if the comment does not exist or is hidden from this caller. */
export function findComment(
  db: Database,
  caller: Caller,
  key: Partial<CommentKey> & { id: number },
  secretHash: SecretHash,
) {
  const choice = builder
    .select({ id: comments.id })
    .from(comments)
    .innerJoin(tracks, eq(tracks.id, comments.trackId))
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(isOf(key), isSeen(caller, secretHash)));
  return db.read(showComments.chosenBy(choice, sessionOf(caller))).then(firstRow);
}

/** Up to `limit` comments below the id `before`, newest first. */
export interface CommentPage {
  before: number;
  offset: number;
  limit: number;
}

/** A left join that finds no comment leaves all columns null. */
const isComment = (row: Nullable<CommentRow>): row is CommentRow => row.id !== null;

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

/** `undefined` if the track does not exist or is hidden from this caller. */
export async function listTrackComments(
  db: Database,
  caller: Caller,
  track: number,
  secretHash: SecretHash,
  page: CommentPage,
): Promise<CommentRow[] | undefined> {
  const given = { ...sessionOf(caller), track, secret_hash: secretHash ?? null, ...page };
  const rows = await db.read(showTrackComments.with(given));
  return rows.length > 0 ? rows.filter(isComment) : undefined;
}

/** Lists a user's comments on tracks that the caller sees. `undefined` if the user does not exist. */
export async function listUserComments(
  db: Database,
  caller: Caller,
  authorId: number,
  { before, offset, limit }: CommentPage,
): Promise<CommentRow[] | undefined> {
  const choice = builder
    .select({ id: comments.id })
    .from(comments)
    .innerJoin(tracks, eq(tracks.id, comments.trackId))
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(isBelow(comments.userId, authorId, before), isSeen(caller)))
    .orderBy(...newestFirst(comments.userId))
    .limit(limit)
    .offset(offset);
  const [found, listed] = await db.readAll([
    existingUser(caller, authorId),
    showComments.chosenBy(choice, sessionOf(caller)),
  ]);
  return found.length > 0 ? listed : undefined;
}

const CommentCreation = () =>
  z.union([
    z.strictObject({
      outcome: z.literal("done"),
      comment: CommentRow(),
      spent: Spent().nullable(),
    }),
    z.strictObject({
      outcome: z.enum(["unknown_track", "unknown_parent", "not_commentable"]),
    }),
    OverBudget(),
  ]);

export const createComment = (
  db: Database,
  caller: Caller,
  trackId: number,
  secretHash: SecretHash,
  columns: NewCommentColumns,
  budget: BudgetLimit | null,
) =>
  callAs(db, "create_comment", CommentCreation, caller, {
    track: trackId,
    secret_hash: secretHash ?? null,
    comment: columns,
    budget,
  });

/** Reasons for a refused change. `unknown` includes comments on tracks hidden from the caller. */
export type CommentRefusal = "unknown" | "not_yours" | "changed";

export type CommentChange<Result = object> = ({ outcome: "done" } & Result) | { outcome: CommentRefusal };

/** Matches the versions that the caller expects; null matches any. */
const isExpected = (expected: Expected) =>
  expected === null ? undefined : sql`${comments.updatedAt} = any (${sql.param(expected)}::timestamptz[])`;

/** The outcome for a comment that the caller may change, but that the write did not find as expected. */
const missed = (expected: Expected) => ({ outcome: expected === null ? "unknown" : "changed" }) as const;

/** Changes a comment for its author. `undefined` leaves a column unchanged. */
export async function updateComment(
  db: Database,
  caller: SignedIn,
  key: CommentKey,
  secretHash: SecretHash,
  { body, sanitizer_version, timestamp_ms }: CommentColumns,
  expected: Expected,
): Promise<CommentChange<{ comment: CommentRow }>> {
  const changes: Changes = { body, sanitizerVersion: sanitizer_version, timestampMs: timestamp_ms };
  const [stored] = await db.write((on) => {
    const seen = on.$with("seen").as(
      on
        .select({ id: comments.id, authorId: comments.userId })
        .from(comments)
        .innerJoin(tracks, eq(tracks.id, comments.trackId))
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(and(isOf(key), isSeen(caller, secretHash))),
    );
    const ownSeen = on.select({ id: seen.id }).from(seen).where(eq(seen.authorId, caller.userId));
    const changed = on.$with("comments").as(
      on
        .update(comments)
        .set({
          ...changes,
          updatedAt: sql`case when ${differs(changes)} then now() else ${comments.updatedAt} end`,
        })
        .where(and(inArray(comments.id, ownSeen), isExpected(expected)))
        .returning(),
    );
    // The alias replaces the table in the selected columns.
    return on
      .with(seen, changed)
      .select({ isOwn: sql<boolean>`${seen.authorId} = ${caller.userId}`, ...shown })
      .from(seen)
      .leftJoin(changed, eq(changed.id, seen.id))
      .leftJoin(users, eq(users.id, comments.userId))
      .leftJoinLateral(pending, sql`true`)
      .where(signedIn(caller));
  });
  if (!stored) return { outcome: "unknown" };
  const { isOwn, ...comment } = stored;
  if (!isOwn) return { outcome: "not_yours" };
  return isComment(comment) ? { outcome: "done", comment } : missed(expected);
}

type Changes = Partial<Pick<typeof comments.$inferInsert, "body" | "sanitizerVersion" | "timestampMs">>;

/** Tells whether a comment has other values. */
const differs = (changes: Changes) =>
  or(
    ...(["body", "sanitizerVersion", "timestampMs"] as const)
      .filter((column) => changes[column] !== undefined)
      .map((column) => sql`${comments[column]} is distinct from ${changes[column]}`),
  ) ?? sql`false`;

/** Deletes a comment for its author or the track's owner. Authors may always withdraw what they said. */
export async function deleteComment(
  db: Database,
  caller: SignedIn,
  key: CommentKey,
  secretHash: SecretHash,
  expected: Expected,
): Promise<CommentChange> {
  const isParty = sql<boolean>`${caller.userId} in (${comments.userId}, ${tracks.userId})`;
  const [stored] = await db.write((on) => {
    const found = on.$with("found").as(
      on
        .select({ id: comments.id, isParty: isParty.as("is_party") })
        .from(comments)
        .innerJoin(tracks, eq(tracks.id, comments.trackId))
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(and(isOf(key), or(isParty, isSeen(caller, secretHash)))),
    );
    const ofParty = on.select({ id: found.id }).from(found).where(sql`${found.isParty}`);
    const gone = on.$with("gone").as(
      on
        .delete(comments)
        .where(and(inArray(comments.id, ofParty), isExpected(expected)))
        .returning({ id: comments.id }),
    );
    return on
      .with(found, gone)
      .select({ isParty: found.isParty, gone: gone.id })
      .from(found)
      .leftJoin(gone, eq(gone.id, found.id))
      .where(signedIn(caller));
  });
  if (!stored) return { outcome: "unknown" };
  if (!stored.isParty) return { outcome: "not_yours" };
  return stored.gone === null ? missed(expected) : { outcome: "done" };
}
