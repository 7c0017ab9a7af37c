import { Hono } from "hono";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { PlaylistListQuery } from "../playlists/filters.ts";
import { PAGE_ENDS_EARLY, Playlists, playlistPage } from "../playlists/list.ts";
import { TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";
import { UserId } from "../users/input.ts";

const tracks = { 200: Tracks, 400: ErrorBody, 422: ErrorBody };
const playlists = { 200: Playlists, 400: ErrorBody, 422: ErrorBody };
const asTracks = { description: "Takes the filters of `/tracks`; `sort` is by the time of the repost." };
const asPlaylists = { description: `Takes the filters of \`/playlists\`. ${PAGE_ENDS_EARLY}` };

/** Under `/me`. */
export const ownMarked = new Hono<AppEnv>();

ownMarked.get(
  "/likes/playlists",
  operation("List the playlists that you like, last liked first", playlists, asPlaylists),
  requireUser,
  query(PlaylistListQuery),
  (c) => playlistPage(c, c.req.valid("query"), { list: "likes/playlists", liked_by: c.var.viewer.userId }),
);

ownMarked.get(
  "/reposts/tracks",
  operation("List the tracks that you reposted, last reposted first", tracks, asTracks),
  requireUser,
  query(TrackListQuery),
  (c) => trackPage(c, c.req.valid("query"), { list: "reposts/tracks", reposted_by: c.var.viewer.userId }),
);

ownMarked.get(
  "/reposts/playlists",
  operation("List the playlists that you reposted, last reposted first", playlists, asPlaylists),
  requireUser,
  query(PlaylistListQuery),
  (c) =>
    playlistPage(c, c.req.valid("query"), { list: "reposts/playlists", reposted_by: c.var.viewer.userId }),
);

/** Under `/users`. */
export const userMarked = new Hono<AppEnv>();

userMarked.get(
  "/:id/likes/playlists",
  operation(
    "List the playlists that a user likes, last liked first",
    { ...playlists, 404: ErrorBody },
    asPlaylists,
  ),
  requireToken,
  param(UserId),
  query(PlaylistListQuery),
  (c) =>
    playlistPage(c, c.req.valid("query"), { list: "likes/playlists", liked_by: c.req.valid("param").id }),
);

userMarked.get(
  "/:id/reposts/tracks",
  operation(
    "List the tracks that a user reposted, last reposted first",
    { ...tracks, 404: ErrorBody },
    asTracks,
  ),
  requireToken,
  param(UserId),
  query(TrackListQuery),
  (c) => trackPage(c, c.req.valid("query"), { list: "reposts/tracks", reposted_by: c.req.valid("param").id }),
);

userMarked.get(
  "/:id/reposts/playlists",
  operation(
    "List the playlists that a user reposted, last reposted first",
    { ...playlists, 404: ErrorBody },
    asPlaylists,
  ),
  requireToken,
  param(UserId),
  query(PlaylistListQuery),
  (c) =>
    playlistPage(c, c.req.valid("query"), {
      list: "reposts/playlists",
      reposted_by: c.req.valid("param").id,
    }),
);
