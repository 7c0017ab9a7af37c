import type { Context } from "hono";
import type * as z from "zod";
import { listRelatedUsers, type RelatedUserPosition } from "../../../db/queries/related-users.ts";
import { findUser } from "../../../db/queries/users.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { taggedReply } from "../../lib/http/etag.ts";
import { readPage, sendCollection } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { idsOf, parseSearch } from "../../lib/text/search.ts";
import { UserId } from "./input.ts";
import { UserListQuery, Users, userPage } from "./list.ts";
import { representUser, User } from "./representation.ts";

export const users = new Routes();

users.get(
  "/users",
  {
    operationId: "listUsers",
    summary: "List or search users, newest first",
    description: "Filters combine with AND. Without `q` the newest users come first.",
    auth: "token",
    query: UserListQuery,
    replies: { 200: Users },
  },
  async (c, { query }) => {
    const { collection, next_href, corrected_q } = await userPage(c, query);
    return sendCollection(c, query.linked_partitioning, collection, next_href, corrected_q);
  },
);

users.get(
  "/users/:id",
  {
    operationId: "getUser",
    summary: "Get a user",
    description:
      "Each counter is the length of the list that you get: what you cannot see does not count. Your own private tracks and playlists have counters of their own, at `/me`.",
    auth: "token",
    params: UserId,
    precondition: "If-None-Match",
    replies: { 200: User },
  },
  async (c, { params }) => {
    const user = (await findUser(c.var.db, c.var.viewer, params.id)) ?? notFound("User");
    return taggedReply(c, representUser(user, c.env), user.updated_at);
  },
);

users.get(
  "/users/:id/related",
  {
    operationId: "listRelatedUsers",
    summary: "List related users",
    description:
      "Users whom the user's followers also follow, most shared followers first. Counts the newest 200 followers and " +
      "the newest 100 followings of each. You are left out. A search does not change the order.",
    auth: "token",
    params: UserId,
    query: UserListQuery,
    replies: { 200: Users },
  },
  (c, { params, query }) => relatedPage(c, params.id, query),
);

users.get(
  "/me/related",
  {
    operationId: "listMyRelatedUsers",
    summary: "List users related to you",
    description: "Users whom your followers also follow, as `GET /users/{id}/related` lists them.",
    auth: "user",
    query: UserListQuery,
    replies: { 200: Users },
  },
  (c, { query }) => relatedPage(c, c.var.viewer.userId, query),
);

async function relatedPage(
  c: Context<TokenEnv> | Context<UserEnv>,
  id: number,
  given: z.output<typeof UserListQuery>,
) {
  const filter = { ...parseSearch(given), ids: idsOf(given.ids, given.urns) };
  const { page, nextHref } = readPage<RelatedUserPosition>(c, `users/${id}/related`, filter, given);
  const found = await listRelatedUsers(c.var.db, c.var.viewer, id, { filter, page });
  if (!found) return notFound("User");
  const users = found.users.map((user) => representUser(user, c.env));
  return sendCollection(c, given.linked_partitioning, users, nextHref(found.next));
}
