import * as z from "zod";
import type { Database } from "../client.ts";
import { changeOf, type Told } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs } from "./caller.ts";
import type { Expected } from "./own-tracks.ts";
import { MiniUserRow } from "./people.ts";

export const CommentRow = () =>
  z.strictObject({
    id: z.number(),
    track_id: z.number(),
    user_id: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
    body: z.string(),
    timestamp_ms: z.number().nullable(),
    user: MiniUserRow().extend({
      followers_count: z.number(),
      followings_count: z.number(),
      reposts_count: z.number(),
    }),
  });
export type CommentRow = Told<typeof CommentRow>;

/** What its author writes. What is `undefined` stays as it is. */
export interface CommentColumns {
  body?: string | undefined;
  sanitizer_version?: number | undefined;
  timestamp_ms?: number | null | undefined;
}

/** Which comment; `trackId` is the track that it has to be of. */
export interface CommentKey {
  trackId: number;
  id: number;
}

/** SHA-256 of the secret token that came with the request, which may open the comment's track. */
export type SecretHash = Uint8Array | undefined;

/** `comment` is null where it does not exist or is not for this caller: the two are one. */
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

/** Newest first, from below the id `before`; `limit` rows at most. */
export interface CommentPage {
  before: number;
  offset: number;
  limit: number;
}

/** Not found is the track, or the user, whose comments were asked for. */
export const CommentList = () =>
  z.union([
    z.strictObject({
      found: z.literal(true),
      comments: z.array(CommentRow()),
    }),
    z.strictObject({
      found: z.literal(false),
    }),
  ]);
export type CommentList = Told<typeof CommentList>;

export const listTrackComments = (
  db: Database,
  caller: Caller,
  trackId: number,
  secretHash: SecretHash,
  { before, offset, limit }: CommentPage,
) =>
  callAs(db, "list_track_comments", CommentList, caller, {
    track: trackId,
    secret_hash: secretHash ?? null,
    before,
    offset,
    limit,
  });

/** Those on tracks that the caller sees. */
export const listUserComments = (
  db: Database,
  caller: Caller,
  authorId: number,
  { before, offset, limit }: CommentPage,
) => callAs(db, "list_user_comments", CommentList, caller, { author: authorId, before, offset, limit });

export const CommentCreation = () =>
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
export type CommentCreation = Told<typeof CommentCreation>;

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

/** Why nothing was changed. `unknown` is also a comment on a track that the caller may not see. */
export const CommentRefusal = () => z.enum(["unknown", "not_yours", "changed"]);
export type CommentRefusal = Told<typeof CommentRefusal>;

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
