import * as z from "zod";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody } from "../../lib/http/status.ts";
import { idText } from "../../lib/text/fields.ts";
import { UserId } from "../users/input.ts";
import { UserListQuery, UserPage, userPage } from "../users/list.ts";
import { User } from "../users/representation.ts";
import { beginFollowing, endFollowing, findOther } from "./follow.ts";

const Other = z.object({ userId: idText("users").describe("Id or URN of the other user.") });
const Both = z.object({ ...UserId.shape, ...Other.shape });

const WRAPPED = "Always wrapped, whatever `linked_partitioning` says.";
const ONCE = "201 with the user if the following is new, 200 with a status if it existed.";

const FOLLOWED = { 200: StatusBody, 201: User };
const NOT_FOLLOWED = {
  422: "You cannot follow yourself, nor more than 2,000 people.",
  429: "Too many follows in an hour.",
};
const OTHERS = { 403: "The followings are another user's." };

export const followings = new Routes();
/** Separate, because `/me/followings/tracks` also matches `/me/followings/{userId}`. */
export const myFollowings = new Routes();

followings.get(
  "/users/:id/followings",
  {
    operationId: "listUserFollowings",
    summary: "List users whom a user follows, newest first",
    description: WRAPPED,
    auth: "token",
    params: UserId,
    query: UserListQuery,
    replies: { 200: UserPage },
  },
  async (c, { params, query }) =>
    c.json(await userPage(c, query, { relation: "followings", owner: params.id })),
);

followings.get(
  "/users/:id/followers",
  {
    operationId: "listUserFollowers",
    summary: "List a user's followers, newest first",
    description: WRAPPED,
    auth: "token",
    params: UserId,
    query: UserListQuery,
    replies: { 200: UserPage },
  },
  async (c, { params, query }) =>
    c.json(await userPage(c, query, { relation: "followers", owner: params.id })),
);

followings.get(
  "/me/followings",
  {
    operationId: "listMyFollowings",
    summary: "List users whom you follow, newest first",
    description: WRAPPED,
    auth: "user",
    query: UserListQuery,
    replies: { 200: UserPage },
  },
  async (c, { query }) =>
    c.json(await userPage(c, query, { relation: "followings", owner: c.var.viewer.userId })),
);

followings.get(
  "/me/followers",
  {
    operationId: "listMyFollowers",
    summary: "List your followers, newest first",
    description: WRAPPED,
    auth: "user",
    query: UserListQuery,
    replies: { 200: UserPage },
  },
  async (c, { query }) =>
    c.json(await userPage(c, query, { relation: "followers", owner: c.var.viewer.userId })),
);

followings.get(
  "/users/:id/followings/:userId",
  {
    operationId: "getUserFollowing",
    summary: "Get one user whom a user follows",
    description: "404 if the first user does not follow the second.",
    auth: "token",
    params: Both,
    replies: { 200: User },
  },
  async (c, { params }) =>
    c.json(await findOther(c, { follower: params.id, followee: params.userId }, "followee")),
);

followings.get(
  "/users/:id/followers/:userId",
  {
    operationId: "getUserFollower",
    summary: "Get one follower of a user",
    description: "404 if the second user does not follow the first.",
    auth: "token",
    params: Both,
    replies: { 200: User },
  },
  async (c, { params }) =>
    c.json(await findOther(c, { follower: params.userId, followee: params.id }, "follower")),
);

myFollowings.get(
  "/me/followings/:userId",
  {
    operationId: "getMyFollowing",
    summary: "Get one user whom you follow",
    description: "404 if you do not follow the user.",
    auth: "user",
    params: Other,
    replies: { 200: User },
  },
  async (c, { params }) =>
    c.json(await findOther(c, { follower: c.var.viewer.userId, followee: params.userId }, "followee")),
);

followings.get(
  "/me/followers/:userId",
  {
    operationId: "getMyFollower",
    summary: "Get one of your followers",
    description: "404 if the user does not follow you.",
    auth: "user",
    params: Other,
    replies: { 200: User },
  },
  async (c, { params }) =>
    c.json(await findOther(c, { follower: params.userId, followee: c.var.viewer.userId }, "follower")),
);

followings.put(
  "/users/:id/followings/:userId",
  {
    operationId: "followAsUser",
    summary: "Follow a user",
    description: ONCE,
    auth: "user",
    scope: "social",
    params: Both,
    replies: FOLLOWED,
    errors: { ...OTHERS, ...NOT_FOLLOWED },
  },
  (c, { params }) => beginFollowing(c, { follower: params.id, followee: params.userId }),
);

myFollowings.put(
  "/me/followings/:userId",
  {
    operationId: "follow",
    summary: "Follow a user",
    description: ONCE,
    auth: "user",
    scope: "social",
    params: Other,
    replies: FOLLOWED,
    errors: NOT_FOLLOWED,
  },
  (c, { params }) => beginFollowing(c, { follower: c.var.viewer.userId, followee: params.userId }),
);

followings.delete(
  "/users/:id/followings/:userId",
  {
    operationId: "unfollowAsUser",
    summary: "Stop following a user",
    description: "The `id` must be yours.",
    auth: "user",
    scope: "social",
    params: Both,
    replies: { 200: StatusBody },
    errors: OTHERS,
  },
  (c, { params }) => endFollowing(c, { follower: params.id, followee: params.userId }),
);

myFollowings.delete(
  "/me/followings/:userId",
  {
    operationId: "unfollow",
    summary: "Stop following a user",
    description: "Your feed no longer shows the user's posts.",
    auth: "user",
    scope: "social",
    params: Other,
    replies: { 200: StatusBody },
  },
  (c, { params }) => endFollowing(c, { follower: c.var.viewer.userId, followee: params.userId }),
);
