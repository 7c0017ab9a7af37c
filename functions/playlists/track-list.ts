import { Hono } from "hono";
import { listPlaylistTracks } from "../../db/queries/playlists.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { requireToken } from "../http/viewer.ts";
import { TrackListQuery, Tracks } from "../tracks/list.ts";
import { pageInOwnOrder } from "../tracks/own-order.ts";
import { presentedBy } from "../tracks/secret.ts";
import { OpensPlaylist } from "./filters.ts";
import { PlaylistId } from "./input.ts";

export const playlistTracks = new Hono<AppEnv>();

playlistTracks.get(
  "/:id/tracks",
  operation(
    "List a playlist's tracks, in its order",
    { 200: Tracks, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody },
    { description: "Takes the filters of `/tracks`; a search leaves the order as it is, `sort` is by time." },
  ),
  requireToken,
  param(PlaylistId),
  query(TrackListQuery.extend(OpensPlaylist.shape)),
  async (c) => {
    const { id } = c.req.valid("param");
    const { secret_token, ...given } = c.req.valid("query");
    const presented = presentedBy(c.req, secret_token);
    return pageInOwnOrder<{ key: number }>(c, given, {
      name: `playlists/${id}/tracks`,
      of: "Playlist",
      ask: (asked) => listPlaylistTracks(c.var.db, c.var.viewer, id, presented, asked),
    });
  },
);
