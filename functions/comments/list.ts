import type { Context } from "hono";
import * as z from "zod";
import {
  type CommentList,
  type CommentPage,
  listTrackComments,
  listUserComments,
} from "../../db/queries/comments.ts";
import type { TokenEnv, UserEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { nextHref, Offset, Paging, readCursor, sendCollection } from "../http/paging.ts";
import { presentedBy } from "../tracks/secret.ts";
import { representComment } from "./representation.ts";

export const CommentPaging = z.object({ ...Paging.shape, ...Offset.shape });
type Asked = z.output<typeof CommentPaging>;

type Asking = Context<TokenEnv> | Context<UserEnv>;

export const commentsOfTrack = (c: Asking, asked: Asked, trackId: number, secretToken: string | undefined) =>
  commentPage(c, asked, `tracks/${trackId}/comments`, async (page) => {
    const { secretHash } = presentedBy(c.req, secretToken);
    const found = await listTrackComments(c.var.db, c.var.viewer, trackId, secretHash, page);
    return found.found ? found.comments : notFound("Track");
  });

export const commentsOfUser = (c: Asking, asked: Asked, authorId: number) =>
  commentPage(c, asked, `users/${authorId}/comments`, async (page) => {
    const found = await listUserComments(c.var.db, c.var.viewer, authorId, page);
    return found.found ? found.comments : notFound("User");
  });

type Rows = Extract<CommentList, { found: true }>["comments"];

async function commentPage(
  c: Asking,
  { limit, linked_partitioning, cursor, offset }: Asked,
  list: string,
  find: (page: CommentPage) => Promise<Rows>,
) {
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
  const before = readCursor(scope, cursor);
  const rows = await find({ before, offset: cursor === undefined ? offset : 0, limit: limit + 1 });
  const items = rows.slice(0, limit).map((row) => representComment(row, c.env));
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return sendCollection(c, linked_partitioning, items, next);
}
