import { Hono } from "hono";
import { findUser } from "../../db/queries/users.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { tagged, taggedReply } from "../http/etag.ts";
import { sendCollection } from "../http/paging.ts";
import { requireToken } from "../http/viewer.ts";
import { UserId } from "./input.ts";
import { UserListQuery, Users, userPage } from "./list.ts";
import { representUser, User } from "./representation.ts";

export const users = new Hono<AppEnv>();

users.get(
  "/",
  operation("List or search users, newest first", { 200: Users, 400: ErrorBody, 422: ErrorBody }),
  requireToken,
  query(UserListQuery),
  async (c) => {
    const given = c.req.valid("query");
    const { collection, next_href } = await userPage(c, given);
    return sendCollection(c, given.linked_partitioning, collection, next_href);
  },
);

users.get(
  "/:id",
  operation("Get a user", { 200: User, 404: ErrorBody }),
  tagged,
  requireToken,
  param(UserId),
  async (c) => {
    const found = await findUser(c.var.db, c.var.viewer, c.req.valid("param").id);
    const user = found.user ?? notFound("User");
    return taggedReply(c, representUser(user, c.env), user.updated_at);
  },
);
