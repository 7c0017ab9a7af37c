import type { Context } from "hono";
import { Hono } from "hono";
import * as z from "zod";
import { findComment } from "../../db/queries/comments.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv, TokenEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { guarded, tagged, taggedReply } from "../http/etag.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { presentedBy } from "../tracks/secret.ts";
import { CommentChangesBody, CommentId, NewCommentBody, TrackCommentId } from "./input.ts";
import { CommentPaging, commentsOfTrack } from "./list.ts";
import { Comment, Comments, representComment } from "./representation.ts";
import { rewrite, say, takeBack } from "./write.ts";

/** The comment's own address, which its `uri` is. */
export const comments = new Hono<AppEnv>();

comments.get(
  "/:id",
  operation("Get a comment", { 200: Comment, 404: ErrorBody }),
  tagged,
  requireToken,
  param(CommentId),
  query(SecretToken),
  (c) => oneComment(c, c.req.valid("param"), c.req.valid("query").secret_token),
);

async function oneComment(
  c: Context<TokenEnv>,
  key: { trackId?: number; id: number },
  secretToken: string | undefined,
) {
  const { secretHash } = presentedBy(c.req, secretToken);
  const { comment } = await findComment(c.var.db, c.var.viewer, key, secretHash);
  const found = comment ?? notFound("Comment");
  return taggedReply(c, representComment(found, c.env), found.updated_at);
}

/** Below `/tracks`. Whoever sees a track sees its comments, and may write one. */
export const trackComments = new Hono<AppEnv>();

trackComments.get(
  "/:id/comments",
  operation("List a track's comments, newest first", { 200: Comments, 404: ErrorBody }),
  requireToken,
  param(TrackId),
  query(z.object({ ...SecretToken.shape, ...CommentPaging.shape })),
  (c) => {
    const { secret_token, ...asked } = c.req.valid("query");
    return commentsOfTrack(c, asked, c.req.valid("param").id, secret_token);
  },
);

trackComments.post(
  "/:id/comments",
  operation(
    "Comment on a track",
    { 201: Comment, 403: ErrorBody, 429: ErrorBody },
    { description: "403 where `commentable` is false, for its owner as well." },
  ),
  requireUser,
  param(TrackId),
  query(SecretToken),
  body(NewCommentBody, ["json", "form"]),
  async (c) => {
    const { secret_token } = c.req.valid("query");
    const said = await say(c, c.req.valid("param").id, secret_token, c.req.valid("json").comment);
    const comment = representComment(said, c.env);
    return c.json(comment, 201, { Location: comment.uri });
  },
);

const keyOf = ({ id, commentId }: z.output<typeof TrackCommentId>) => ({ trackId: id, id: commentId });

trackComments.get(
  "/:id/comments/:commentId",
  operation("Get a comment on a track", { 200: Comment, 404: ErrorBody }),
  tagged,
  requireToken,
  param(TrackCommentId),
  query(SecretToken),
  (c) => oneComment(c, keyOf(c.req.valid("param")), c.req.valid("query").secret_token),
);

trackComments.put(
  "/:id/comments/:commentId",
  operation(
    "Edit a comment",
    { 200: Comment, 403: ErrorBody },
    { description: "Its author alone. What is left out stays as it is; a timestamp of null takes it away." },
  ),
  guarded,
  requireUser,
  param(TrackCommentId),
  query(SecretToken),
  body(CommentChangesBody, ["json", "form"]),
  async (c) => {
    const key = keyOf(c.req.valid("param"));
    const { secret_token } = c.req.valid("query");
    return c.json(representComment(await rewrite(c, key, secret_token, c.req.valid("json").comment), c.env));
  },
);

trackComments.delete(
  "/:id/comments/:commentId",
  operation(
    "Delete a comment",
    { 200: StatusBody, 403: ErrorBody },
    { description: "By its author, also where the track is closed to them since, or by the track's owner." },
  ),
  guarded,
  requireUser,
  param(TrackCommentId),
  query(SecretToken),
  async (c) => {
    await takeBack(c, keyOf(c.req.valid("param")), c.req.valid("query").secret_token);
    return c.json(statusBody(200));
  },
);
