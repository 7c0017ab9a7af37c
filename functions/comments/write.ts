import type { Context } from "hono";
import type { Authorized } from "../../db/queries/caller.ts";
import {
  type CommentChange,
  type CommentColumns,
  type CommentKey,
  type CommentRefusal,
  type CommentRow,
  createComment,
  deleteComment,
  updateComment,
} from "../../db/queries/comments.ts";
import type { Env, UserEnv } from "../http/env.ts";
import { changedSince, forbidden, notFound, stillSignedIn } from "../http/errors.ts";
import { expectedVersions } from "../http/etag.ts";
import { SANITIZER_VERSION } from "../http/html.ts";
import { overLimit } from "../http/rate-limit.ts";
import { presentedBy } from "../tracks/secret.ts";
import type { CommentFields } from "./input.ts";

/** Of one user, on whatever tracks; no limit where the deployment sets none. */
const limitOf = ({ COMMENTS_PER_MINUTE: perMinute }: Pick<Env, "COMMENTS_PER_MINUTE">) =>
  perMinute === undefined
    ? undefined
    : { bucket: "by-user", name: "comments", max: Number(perMinute), windowS: 60, window: "PT1M" };

const columnsOf = ({ body, timestamp }: CommentFields): CommentColumns => ({
  timestamp_ms: timestamp,
  ...(body !== undefined && { body, sanitizer_version: SANITIZER_VERSION }),
});

export async function say(
  c: Context<UserEnv>,
  trackId: number,
  secretToken: string | undefined,
  fields: CommentFields,
): Promise<CommentRow> {
  const { secretHash } = presentedBy(c.req, secretToken);
  const { db, viewer } = c.var;
  const limit = limitOf(c.env);
  const made = stillSignedIn(
    await createComment(db, viewer, trackId, secretHash, columnsOf(fields), limit?.max ?? null),
  );
  switch (made.outcome) {
    case "done":
      return made.comment;
    case "unknown_track":
      return notFound("Track");
    case "not_commentable":
      return forbidden("The track takes no comments");
  }
  if (!limit) throw new Error("A comment was refused by a limit that is not set");
  return overLimit(limit, "You have written too many comments in a minute", made.retry_after);
}

const REFUSALS: Record<CommentRefusal, () => never> = {
  unknown: () => notFound("Comment"),
  not_yours: () => forbidden("The comment is another user's"),
  changed: () => changedSince("The comment"),
};

function done<Result>(change: Authorized<CommentChange<Result>>): Result {
  const settled = stillSignedIn(change);
  return settled.outcome === "done" ? settled : REFUSALS[settled.outcome]();
}

export async function rewrite(
  c: Context<UserEnv>,
  key: CommentKey,
  secretToken: string | undefined,
  fields: CommentFields,
): Promise<CommentRow> {
  const { secretHash } = presentedBy(c.req, secretToken);
  const { db, viewer } = c.var;
  return done(await updateComment(db, viewer, key, secretHash, columnsOf(fields), expectedVersions(c)))
    .comment;
}

export async function takeBack(c: Context<UserEnv>, key: CommentKey, secretToken: string | undefined) {
  const { secretHash } = presentedBy(c.req, secretToken);
  done(await deleteComment(c.var.db, c.var.viewer, key, secretHash, expectedVersions(c)));
}
