import { Hono } from "hono";
import * as z from "zod";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { idText } from "../http/fields.ts";
import { requireToken } from "../http/viewer.ts";
import { PlaylistListQuery } from "../playlists/filters.ts";
import { listOfUser, playlistPage } from "../playlists/list.ts";
import { TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";

const UserId = z.object({ id: idText("users").describe("Id or URN of the user.") });

export const users = new Hono<AppEnv>();

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
