import * as z from "zod";
import type { Database } from "../client.ts";
import { columnsOf, rowOf, toRows } from "../row-shape.ts";
import { comments } from "../schema/comments.ts";
import { users } from "../schema/people.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs } from "./caller.ts";
import type { Expected } from "./own-tracks.ts";
import { MiniUserRow } from "./people.ts";

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

/** Id of a comment, which must belong to the track `trackId`. */
export interface CommentKey {
  trackId: number;
  id: number;
}

/** SHA-256 of the request's secret token, which may grant access to the track. */
type SecretHash = Uint8Array | undefined;

/** `comment` is null if it does not exist or is hidden from this caller; replies do not distinguish the two. */
export const findComment = (
  db: Database,
  caller: Caller,
  { trackId, id }: { trackId?: number; id: number },
  secretHash: SecretHash,
) =>
  callAs(
    db,
    "find_comment",
    () =>
      z.strictObject({
        comment: CommentRow().nullable(),
      }),
    caller,
    { track: trackId ?? null, id, secret_hash: secretHash ?? null },
  );

/** Up to `limit` comments below the id `before`, newest first. */
export interface CommentPage {
  before: number;
  offset: number;
  limit: number;
}

/** `found` is false if the track, or the user, does not exist. */
const CommentList = () =>
  z.union([
    z.strictObject({
      found: z.literal(true),
      comments: z.array(CommentRow()),
    }),
    z.strictObject({
      found: z.literal(false),
    }),
  ]);
type CommentList = ReplyOf<typeof CommentList>;

/** Comments of one track, by column. */
const TrackComments = () =>
  columnsOf(CommentRow().omit({ track_id: true, user: true })).extend({
    authors: columnsOf(CommentRow().shape.user.omit({ id: true })),
  });

export async function listTrackComments(
  db: Database,
  caller: Caller,
  trackId: number,
  secretHash: SecretHash,
  { before, offset, limit }: CommentPage,
): Promise<CommentList> {
  const listed = await callAs(
    db,
    "list_track_comments",
    () =>
      z.union([
        z.strictObject({ found: z.literal(true), comments: TrackComments().nullable() }),
        z.strictObject({ found: z.literal(false) }),
      ]),
    caller,
    { track: trackId, secret_hash: secretHash ?? null, before, offset, limit },
  );
  return listed.found
    ? { found: true, comments: listed.comments ? commentsOf(trackId, listed.comments) : [] }
    : listed;
}

function commentsOf(trackId: number, { authors, ...columns }: ReplyOf<typeof TrackComments>): CommentRow[] {
  const user = toRows({ id: columns.user_id, ...authors });
  return toRows({ ...columns, track_id: columns.id.map(() => trackId), user });
}

/** Lists a user's comments on tracks that the caller sees. */
export const listUserComments = (
  db: Database,
  caller: Caller,
  authorId: number,
  { before, offset, limit }: CommentPage,
) => callAs(db, "list_user_comments", CommentList, caller, { author: authorId, before, offset, limit });

const CommentCreation = () =>
  z.union([
    z.strictObject({
      outcome: z.literal("done"),
      comment: CommentRow(),
      spent: Spent().nullable(),
    }),
    z.strictObject({
      outcome: z.enum(["unknown_track", "not_commentable"]),
    }),
    OverBudget(),
  ]);

export const createComment = (
  db: Database,
  caller: Caller,
  trackId: number,
  secretHash: SecretHash,
  columns: CommentColumns,
  budget: BudgetLimit | null,
) =>
  callAs(db, "create_comment", CommentCreation, caller, {
    track: trackId,
    secret_hash: secretHash ?? null,
    comment: columns,
    budget,
  });

/** Reasons for a refused change. `unknown` includes comments on tracks hidden from the caller. */
export const CommentRefusal = () => z.enum(["unknown", "not_yours", "changed"]);
export type CommentRefusal = ReplyOf<typeof CommentRefusal>;

export type CommentChange<Result = object> = ({ outcome: "done" } & Result) | { outcome: CommentRefusal };

export const updateComment = (
  db: Database,
  caller: Caller,
  { trackId, id }: CommentKey,
  secretHash: SecretHash,
  columns: CommentColumns,
  expected: Expected,
) =>
  callAs(
    db,
    "update_comment",
    () =>
      changeOf(CommentRefusal(), {
        comment: CommentRow(),
      }),
    caller,
    { track: trackId, id, secret_hash: secretHash ?? null, changes: columns, expected },
  );

export const deleteComment = (
  db: Database,
  caller: Caller,
  { trackId, id }: CommentKey,
  secretHash: SecretHash,
  expected: Expected,
) =>
  callAs(db, "delete_comment", () => changeOf(CommentRefusal(), {}), caller, {
    track: trackId,
    id,
    secret_hash: secretHash ?? null,
    expected,
  });
