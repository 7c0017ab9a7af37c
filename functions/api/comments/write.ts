import type { Context } from "hono";
import {
  type CommentChange,
  type CommentColumns,
  type CommentKey,
  type CommentRefusal,
  type CommentRow,
  createComment,
  deleteComment,
  updateComment,
} from "../../../db/queries/comments.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { changedSince, forbidden, invalid, notFound } from "../../lib/http/errors.ts";
import { expectedVersions } from "../../lib/http/etag.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { SANITIZER_VERSION } from "../../lib/text/html.ts";
import { secretHashOf } from "../tracks/secret.ts";
import type { CommentFields, NewCommentFields } from "./input.ts";

const columnsOf = ({ body, timestamp }: CommentFields): CommentColumns => ({
  timestamp_ms: timestamp,
  ...(body !== undefined && { body, sanitizer_version: SANITIZER_VERSION }),
});

export async function addComment(
  c: Context<UserEnv>,
  trackId: number,
  secretToken: string | undefined,
  fields: NewCommentFields,
): Promise<CommentRow> {
  const made = await createComment(
    c.var.db,
    c.var.viewer,
    trackId,
    secretHashOf(secretToken),
    { ...columnsOf(fields), parent_id: fields.parent_id },
    budgetOf(c.env, "comments"),
  );
  const settled = settleBudget(c, "comments", made);
  switch (settled.outcome) {
    case "done":
      return settled.comment;
    case "unknown_track":
      return notFound("Track");
    case "unknown_parent":
      return invalid("comment[parent_id]: names no comment on this track that you can see");
    case "not_commentable":
      return forbidden("The track takes no comments", "comments-disabled");
  }
}

const REFUSALS: Record<CommentRefusal, () => never> = {
  unknown: () => notFound("Comment"),
  not_yours: () => forbidden("The comment is another user's"),
  changed: () => changedSince("The comment"),
};

function unwrap<Result>(change: CommentChange<Result>): Result {
  return change.outcome === "done" ? change : REFUSALS[change.outcome]();
}

export async function changeComment(
  c: Context<UserEnv>,
  key: CommentKey,
  secretToken: string | undefined,
  fields: CommentFields,
): Promise<CommentRow> {
  const { db, viewer } = c.var;
  const opened = secretHashOf(secretToken);
  return unwrap(await updateComment(db, viewer, key, opened, columnsOf(fields), expectedVersions(c))).comment;
}

export async function removeComment(c: Context<UserEnv>, key: CommentKey, secretToken: string | undefined) {
  unwrap(await deleteComment(c.var.db, c.var.viewer, key, secretHashOf(secretToken), expectedVersions(c)));
}
