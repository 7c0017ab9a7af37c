import type { Context } from "hono";
import * as z from "zod";
import {
  type CommentPage,
  type CommentRow,
  listTrackComments,
  listUserComments,
} from "../../../db/queries/comments.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { Offset, Paging, sendPageById } from "../../lib/http/paging.ts";
import { secretHashOf } from "../tracks/secret.ts";
import { representComment } from "./representation.ts";

export const CommentPaging = z.object({ ...Paging.shape, ...Offset.shape });
type Asked = z.output<typeof CommentPaging>;

type Asking = Context<TokenEnv> | Context<UserEnv>;

export const commentsOfTrack = (c: Asking, asked: Asked, trackId: number, secretToken: string | undefined) =>
  commentPage(c, asked, `tracks/${trackId}/comments`, async (page) => {
    const found = await listTrackComments(c.var.db, c.var.viewer, trackId, secretHashOf(secretToken), page);
    return found ?? notFound("Track");
  });

export const commentsOfUser = (c: Asking, asked: Asked, authorId: number) =>
  commentPage(c, asked, `users/${authorId}/comments`, async (page) => {
    const found = await listUserComments(c.var.db, c.var.viewer, authorId, page);
    return found ?? notFound("User");
  });

const commentPage = (
  c: Asking,
  asked: Asked,
  list: string,
  find: (page: CommentPage) => Promise<CommentRow[]>,
) => sendPageById(c, asked, { list, find, represent: (row) => representComment(row, c.env) });
