import { Hono } from "hono";
import { findUser } from "../../db/queries/users.ts";
import { userComments } from "../comments/list.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { tagged, taggedReply } from "../http/etag.ts";
import { sendCollection } from "../http/paging.ts";
import { requireToken } from "../http/viewer.ts";
import { favorites } from "../likes/favorites.ts";
import { PlaylistListQuery } from "../playlists/filters.ts";
import { listOfUser, playlistPage } from "../playlists/list.ts";
import { TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";
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

users.get(
  "/:id/tracks",
  operation(
    "List a user's tracks, newest first",
    { 200: Tracks, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody },
    { description: "Takes the filters of `/tracks`. Your own list also holds what only you may see." },
  ),
  requireToken,
  param(UserId),
  query(TrackListQuery),
  (c) => {
    const owner = c.req.valid("param").id;
    return trackPage(c, c.req.valid("query"), { list: "users/tracks", owner });
  },
);

users.get("/:id/playlists", listOfUser, requireToken, param(UserId), query(PlaylistListQuery), (c) =>
  playlistPage(c, c.req.valid("query"), { list: "users/playlists", owner: c.req.valid("param").id }),
);

users.route("/", userComments);
users.route("/", favorites);
