import type { Context } from "hono";
import { Hono } from "hono";
import { deletePlaylist, findPlaylist, removePlaylistTrack } from "../../db/queries/playlists.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { expectedVersions, guarded, replyTagged, tagged } from "../http/etag.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { HeldTracks } from "../tracks/listed.ts";
import { presentedBy } from "../tracks/secret.ts";
import { changePlaylist, makePlaylist } from "./change.ts";
import { OpensPlaylist, PlaylistParts, shownOf } from "./filters.ts";
import {
  NewPlaylistBody,
  PlaylistChangesBody,
  PlaylistId,
  PlaylistTrackId,
  PlaylistTracksBody,
} from "./input.ts";
import { done } from "./refusals.ts";
import { playlistTexts } from "./represent.ts";
import { Playlist } from "./representation.ts";
import { secrets } from "./secret-routes.ts";
import { playlistTracks } from "./track-list.ts";

export const playlists = new Hono<AppEnv>();

const asJson = (c: Context, text: string, status: 200 | 201 = 200, headers: Record<string, string> = {}) =>
  c.body(text, status, { "Content-Type": "application/json", ...headers });

playlists.post(
  "/",
  operation("Create a playlist", { 201: Playlist, 422: ErrorBody, 429: ErrorBody }),
  requireUser,
  body(NewPlaylistBody, ["json", "form", "multipart"]),
  async (c) => {
    const [playlist, text] = await makePlaylist(c, c.req.valid("json").playlist);
    return asJson(c, text, 201, { Location: `${c.env.API_URL}/playlists/${playlist.id}` });
  },
);

playlists.get(
  "/:id",
  operation(
    "Get a playlist",
    { 200: Playlist, 404: ErrorBody },
    {
      description: "With those of its tracks that are for you; what is told of its tracks is told of these.",
    },
  ),
  tagged,
  requireToken,
  param(PlaylistId),
  query(PlaylistParts.extend(OpensPlaylist.shape)),
  async (c) => {
    const { id } = c.req.valid("param");
    const { secret_token, ...parts } = c.req.valid("query");
    const held = new HeldTracks(`playlists/${id}${parts.access ? ` ${parts.access}` : ""}`, undefined);
    const presented = presentedBy(c.req, secret_token);
    const page = await findPlaylist(
      c.var.db,
      c.var.viewer,
      id,
      presented,
      shownOf(parts),
      parts.access,
      held.known,
    );
    const [text = notFound("Playlist")] = playlistTexts(c.env, page, held);
    return replyTagged(c, text);
  },
);

playlists.put(
  "/:id",
  operation(
    "Update a playlist",
    { 200: Playlist, 403: ErrorBody, 429: ErrorBody },
    {
      description:
        "What is left out stays as it is; null, or a form's empty value, takes away what may be null. `tracks` adds: to replace or remove, see its own address.",
    },
  ),
  guarded,
  requireUser,
  param(PlaylistId),
  body(PlaylistChangesBody, ["json", "form", "multipart"]),
  async (c) => {
    const { playlist } = c.req.valid("json");
    return asJson(c, await changePlaylist(c, c.req.valid("param").id, playlist, { replaces: false }));
  },
);

playlists.delete(
  "/:id",
  operation("Delete a playlist", { 200: StatusBody, 403: ErrorBody }),
  guarded,
  requireUser,
  param(PlaylistId),
  async (c) => {
    done(await deletePlaylist(c.var.db, c.var.viewer, c.req.valid("param").id, expectedVersions(c)));
    return c.json(statusBody(200));
  },
);

playlists.put(
  "/:id/tracks",
  operation(
    "Replace a playlist's tracks",
    { 200: Playlist, 403: ErrorBody, 429: ErrorBody },
    { description: "The whole list in its order, in place of the one before." },
  ),
  guarded,
  requireUser,
  param(PlaylistId),
  body(PlaylistTracksBody, ["json", "form"]),
  async (c) => {
    const { tracks } = c.req.valid("json");
    return asJson(c, await changePlaylist(c, c.req.valid("param").id, { tracks }, { replaces: true }));
  },
);

playlists.delete(
  "/:id/tracks/:trackId",
  operation("Remove a track from a playlist", { 200: StatusBody, 403: ErrorBody }),
  guarded,
  requireUser,
  param(PlaylistTrackId),
  async (c) => {
    const { id, trackId } = c.req.valid("param");
    done(await removePlaylistTrack(c.var.db, c.var.viewer, id, trackId, expectedVersions(c)));
    return c.json(statusBody(200));
  },
);

playlists.route("/", playlistTracks);
playlists.route("/", secrets);
