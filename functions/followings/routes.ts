import { Hono } from "hono";
import * as z from "zod";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { idText } from "../http/fields.ts";
import { StatusBody } from "../http/status.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { UserId } from "../users/input.ts";
import { UserListQuery, UserPage, userPage } from "../users/list.ts";
import { User } from "../users/representation.ts";
import { beginFollowing, endFollowing, oneOf } from "./follow.ts";

const Other = z.object({ userId: idText("users").describe("Id or URN of the other user.") });
const Both = z.object({ ...UserId.shape, ...Other.shape });

const LISTED = { 200: UserPage, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody };
const FOUND = { 200: User, 404: ErrorBody };
const FOLLOWED = { 200: StatusBody, 201: User, 404: ErrorBody, 422: ErrorBody, 429: ErrorBody };
const LEFT = { 200: StatusBody, 404: ErrorBody };

const WRAPPED = { description: "Always wrapped, whatever `linked_partitioning` says." };
const ONCE = { description: "201 with the user when it is new, 200 with a status when it stood." };
const ONES_OWN = { description: "Of others' followings, 403." };

/** Below `/users`. */
export const userFollowings = new Hono<AppEnv>()
  .get(
    "/:id/followings",
    operation("List whom a user follows, newest first", LISTED, WRAPPED),
    requireToken,
    param(UserId),
    query(UserListQuery),
    async (c) => {
      const owner = c.req.valid("param").id;
      return c.json(await userPage(c, c.req.valid("query"), { relation: "followings", owner }));
    },
  )
  .get(
    "/:id/followers",
    operation("List a user's followers, newest first", LISTED, WRAPPED),
    requireToken,
    param(UserId),
    query(UserListQuery),
    async (c) => {
      const owner = c.req.valid("param").id;
      return c.json(await userPage(c, c.req.valid("query"), { relation: "followers", owner }));
    },
  )
  .get(
    "/:id/followings/:userId",
    operation("Get one whom a user follows", FOUND),
    requireToken,
    param(Both),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      return c.json(await oneOf(c, { follower: id, followee: userId }, "followee"));
    },
  )
  .get(
    "/:id/followers/:userId",
    operation("Get one follower of a user", FOUND),
    requireToken,
    param(Both),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      return c.json(await oneOf(c, { follower: userId, followee: id }, "follower"));
    },
  )
  .put(
    "/:id/followings/:userId",
    operation("Follow a user", { ...FOLLOWED, 403: ErrorBody }, ONES_OWN),
    requireUser,
    param(Both),
    (c) => {
      const { id, userId } = c.req.valid("param");
      return beginFollowing(c, { follower: id, followee: userId });
    },
  )
  .delete(
    "/:id/followings/:userId",
    operation("Follow a user no longer", { ...LEFT, 403: ErrorBody }, ONES_OWN),
    requireUser,
    param(Both),
    (c) => {
      const { id, userId } = c.req.valid("param");
      return endFollowing(c, { follower: id, followee: userId });
    },
  );

/** Below `/me`. */
export const myFollowings = new Hono<AppEnv>()
  .get(
    "/followings",
    operation("List whom you follow, newest first", LISTED, WRAPPED),
    requireUser,
    query(UserListQuery),
    async (c) => {
      const owner = c.var.viewer.userId;
      return c.json(await userPage(c, c.req.valid("query"), { relation: "followings", owner }));
    },
  )
  .get(
    "/followers",
    operation("List your followers, newest first", LISTED, WRAPPED),
    requireUser,
    query(UserListQuery),
    async (c) => {
      const owner = c.var.viewer.userId;
      return c.json(await userPage(c, c.req.valid("query"), { relation: "followers", owner }));
    },
  )
  .get(
    "/followings/:userId",
    operation("Get one whom you follow", FOUND),
    requireUser,
    param(Other),
    async (c) => {
      const following = { follower: c.var.viewer.userId, followee: c.req.valid("param").userId };
      return c.json(await oneOf(c, following, "followee"));
    },
  )
  .get(
    "/followers/:userId",
    operation("Get one of your followers", FOUND),
    requireUser,
    param(Other),
    async (c) => {
      const following = { follower: c.req.valid("param").userId, followee: c.var.viewer.userId };
      return c.json(await oneOf(c, following, "follower"));
    },
  )
  .put("/followings/:userId", operation("Follow a user", FOLLOWED, ONCE), requireUser, param(Other), (c) =>
    beginFollowing(c, { follower: c.var.viewer.userId, followee: c.req.valid("param").userId }),
  )
  .delete("/followings/:userId", operation("Follow a user no longer", LEFT), requireUser, param(Other), (c) =>
    endFollowing(c, { follower: c.var.viewer.userId, followee: c.req.valid("param").userId }),
  );
