import type { Database } from "../client.ts";
import { type BudgetLimit, budgetJson, type OverBudget, type Spent } from "./budgets.ts";
import { bytea, type Caller, callAs } from "./caller.ts";
import type { Expected } from "./own-tracks.ts";
import type { MiniUserRow } from "./people.ts";

export interface CommentRow {
  id: number;
  track_id: number;
  user_id: number;
  created_at: string;
  updated_at: string;
  body: string;
  timestamp_ms: number | null;
  user: MiniUserRow & { followers_count: number; followings_count: number; reposts_count: number };
}

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

const hashed = (secretHash: SecretHash) => (secretHash ? bytea(secretHash) : null);

const anyOf = (expected: Expected) => expected && `{${expected}}`;

/** `comment` is null where it does not exist or is not for this caller: the two are one. */
export const findComment = (
  db: Database,
  caller: Caller,
  { trackId, id }: { trackId?: number; id: number },
  secretHash: SecretHash,
) =>
  callAs<{ comment: CommentRow | null }>(db, "find_comment", caller, trackId ?? null, id, hashed(secretHash));

/** Newest first, from below the id `before`; `limit` rows at most. */
export interface CommentPage {
  before: number;
  offset: number;
  limit: number;
}

/** Not found is the track, or the user, whose comments were asked for. */
export type CommentList = { found: true; comments: CommentRow[] } | { found: false };

export const listTrackComments = (
  db: Database,
  caller: Caller,
  trackId: number,
  secretHash: SecretHash,
  { before, offset, limit }: CommentPage,
) =>
  callAs<CommentList>(db, "list_track_comments", caller, trackId, hashed(secretHash), before, offset, limit);

/** Those on tracks that the caller sees. */
export const listUserComments = (
  db: Database,
  caller: Caller,
  authorId: number,
  { before, offset, limit }: CommentPage,
) => callAs<CommentList>(db, "list_user_comments", caller, authorId, before, offset, limit);

export type CommentCreation =
  | { outcome: "done"; comment: CommentRow; spent: Spent | null }
  | { outcome: "unknown_track" | "not_commentable" }
  | OverBudget;

export const createComment = (
  db: Database,
  caller: Caller,
  trackId: number,
  secretHash: SecretHash,
  columns: CommentColumns,
  budget: BudgetLimit | null,
) =>
  callAs<CommentCreation>(
    db,
    "create_comment",
    caller,
    trackId,
    hashed(secretHash),
    JSON.stringify(columns),
    budgetJson(budget),
  );

/** Why nothing was changed. `unknown` is also a comment on a track that the caller may not see. */
export type CommentRefusal = "unknown" | "not_yours" | "changed";

export type CommentChange<Result = object> = ({ outcome: "done" } & Result) | { outcome: CommentRefusal };

export const updateComment = (
  db: Database,
  caller: Caller,
  { trackId, id }: CommentKey,
  secretHash: SecretHash,
  columns: CommentColumns,
  expected: Expected,
) =>
  callAs<CommentChange<{ comment: CommentRow }>>(
    db,
    "update_comment",
    caller,
    trackId,
    id,
    hashed(secretHash),
    JSON.stringify(columns),
    anyOf(expected),
  );

export const deleteComment = (
  db: Database,
  caller: Caller,
  { trackId, id }: CommentKey,
  secretHash: SecretHash,
  expected: Expected,
) => callAs<CommentChange>(db, "delete_comment", caller, trackId, id, hashed(secretHash), anyOf(expected));
