import type { Context } from "hono";
import * as z from "zod";
import { findComment } from "../../../db/queries/comments.ts";
import type { TokenEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { taggedReply } from "../../lib/http/etag.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { secretHashOf } from "../tracks/secret.ts";
import { UserId } from "../users/input.ts";
import { CommentChangesBody, CommentId, NewCommentBody, TrackCommentId } from "./input.ts";
import { CommentPaging, commentsOfTrack, commentsOfUser } from "./list.ts";
import { Comment, Comments, representComment } from "./representation.ts";
import { addComment, changeComment, removeComment } from "./write.ts";

/** Anybody who can see a track can read its comments and write one. */
export const comments = new Routes();

comments.get(
  "/comments/:id",
  {
    operationId: "getComment",
    summary: "Get a comment",
    description: "You see it if you can see its track.",
    auth: "token",
    params: CommentId,
    query: SecretToken,
    precondition: "If-None-Match",
    replies: { 200: Comment },
  },
  (c, { params, query }) => replyWithComment(c, params, query.secret_token),
);

comments.get(
  "/tracks/:id/comments",
  {
    operationId: "listTrackComments",
    summary: "List a track's comments, newest first",
    description:
      "Timed comments have a `timestamp` in milliseconds. Replies are listed like other comments; those of one thread have the same `parent_id`.",
    auth: "token",
    params: TrackId,
    query: z.object({ ...SecretToken.shape, ...CommentPaging.shape }),
    replies: { 200: Comments },
  },
  (c, { params, query: { secret_token, ...asked } }) => commentsOfTrack(c, asked, params.id, secret_token),
);

comments.post(
  "/tracks/:id/comments",
  {
    operationId: "createComment",
    summary: "Comment on a track",
    description:
      "A comment with a `timestamp` belongs to that moment of the track. `body` is HTML. A comment with a `parent_id` replies to another one that you can see on the same track. Its `parent_id` becomes the first comment of the thread. Without a `timestamp` it takes that of the comment to which it replies. Everybody who wrote in the thread is notified.",
    auth: "user",
    scope: "social",
    params: TrackId,
    query: SecretToken,
    body: NewCommentBody,
    accepts: ["json", "form"],
    replies: { 201: Comment },
    errors: {
      403: "`commentable` is false, which applies to the track's owner too.",
      429: "Too many comments in an hour.",
    },
  },
  async (c, { params, query, body }) => {
    const row = await addComment(c, params.id, query.secret_token, body.comment);
    const comment = representComment(row, c.env);
    return c.json(comment, 201, { Location: comment.uri });
  },
);

comments.get(
  "/tracks/:id/comments/:commentId",
  {
    operationId: "getTrackComment",
    summary: "Get a comment on a track",
    description: "You see it if you can see its track.",
    auth: "token",
    params: TrackCommentId,
    query: SecretToken,
    precondition: "If-None-Match",
    replies: { 200: Comment },
  },
  (c, { params, query }) => replyWithComment(c, keyOf(params), query.secret_token),
);

comments.put(
  "/tracks/:id/comments/:commentId",
  {
    operationId: "updateComment",
    summary: "Edit a comment",
    description:
      "Omitted fields stay unchanged. `timestamp: null` clears the timestamp. A reply stays in its thread.",
    auth: "user",
    scope: "social",
    params: TrackCommentId,
    query: SecretToken,
    body: CommentChangesBody,
    accepts: ["json", "form"],
    precondition: "If-Match",
    replies: { 200: Comment },
    errors: { 403: "The comment is another user's." },
  },
  async (c, { params, query, body }) => {
    const row = await changeComment(c, keyOf(params), query.secret_token, body.comment);
    return c.json(representComment(row, c.env));
  },
);

comments.delete(
  "/tracks/:id/comments/:commentId",
  {
    operationId: "deleteComment",
    summary: "Delete a comment",
    description:
      "Allowed to the comment's author, even without access to the track, and to the track's owner. Replies to it stay, with their `parent_id`.",
    auth: "user",
    scope: "social",
    params: TrackCommentId,
    query: SecretToken,
    precondition: "If-Match",
    replies: { 200: StatusBody },
    errors: { 403: "Neither the comment nor the track is yours." },
  },
  async (c, { params, query }) => {
    await removeComment(c, keyOf(params), query.secret_token);
    return c.json(statusBody(200));
  },
);

comments.get(
  "/users/:id/comments",
  {
    operationId: "listUserComments",
    summary: "List a user's comments, newest first",
    description: "Only comments on tracks that you can see.",
    auth: "token",
    params: UserId,
    query: CommentPaging,
    replies: { 200: Comments },
  },
  (c, { params, query }) => commentsOfUser(c, query, params.id),
);

comments.get(
  "/me/comments",
  {
    operationId: "listMyComments",
    summary: "List your comments, newest first",
    description: "Only comments on tracks that you can still see.",
    auth: "user",
    query: CommentPaging,
    replies: { 200: Comments },
  },
  (c, { query }) => commentsOfUser(c, query, c.var.viewer.userId),
);

const keyOf = ({ id, commentId }: z.output<typeof TrackCommentId>) => ({ trackId: id, id: commentId });

async function replyWithComment(
  c: Context<TokenEnv>,
  key: { trackId?: number; id: number },
  secretToken: string | undefined,
) {
  const comment = await findComment(c.var.db, c.var.viewer, key, secretHashOf(secretToken));
  const found = comment ?? notFound("Comment");
  return taggedReply(c, representComment(found, c.env), found.updated_at);
}
