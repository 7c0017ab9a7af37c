import type { Context } from "hono";
import type * as z from "zod";
import { deletePlaylist, removePlaylistTrack } from "../../../db/queries/own-playlists.ts";
import {
  listPlaylistTracks,
  type PlaylistTracksPosition,
  readPlaylist,
  type ShownPlaylist,
} from "../../../db/queries/playlists.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { expectedVersions, taggedReply } from "../../lib/http/etag.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { TrackListQuery, Tracks } from "../tracks/list.ts";
import { sendTrackList } from "../tracks/ordered-page.ts";
import { presentedBy } from "../tracks/secret.ts";
import { NO_OWNER, ownerInQuery, UserId } from "../users/input.ts";
import { unwrap } from "./errors.ts";
import { OpensPlaylist, PlaylistListQuery, PlaylistParts, trackDetail } from "./filters.ts";
import {
  NewPlaylistBody,
  PlaylistChangesBody,
  PlaylistId,
  PlaylistTrackId,
  PlaylistTracksBody,
} from "./input.ts";
import { PAGE_ENDS_EARLY, Playlists, playlistPage } from "./list.ts";
import { Playlist, representShown } from "./representation.ts";
import { changePlaylist, makePlaylist } from "./write.ts";

export const playlists = new Routes();

const OTHERS = { 403: "The playlist is another user's." };
const TOO_MANY = { 429: "Too many edits of playlists in an hour." };

playlists.get(
  "/playlists",
  {
    operationId: "listPlaylists",
    summary: "List or search playlists, newest first",
    description: `Public playlists and your own. ${PAGE_ENDS_EARLY}`,
    auth: "token",
    query: PlaylistListQuery.extend(ownerInQuery("playlists").shape),
    replies: { 200: Playlists },
    errors: NO_OWNER,
  },
  (c, { query: { user_id: owner, ...query } }) =>
    playlistPage(c, query, { list: "playlists", ...(owner !== undefined && { owner }) }),
);

playlists.get(
  "/me/playlists",
  {
    operationId: "listMyPlaylists",
    summary: "List your playlists, newest first",
    description: PAGE_ENDS_EARLY,
    auth: "user",
    query: PlaylistListQuery,
    replies: { 200: Playlists },
  },
  (c, { query }) => playlistPage(c, query, { list: "me/playlists", owner: c.var.viewer.userId }),
);

playlists.get(
  "/users/:id/playlists",
  {
    operationId: "listUserPlaylists",
    summary: "List a user's playlists, newest first",
    description: `Your own list includes private items. ${PAGE_ENDS_EARLY}`,
    auth: "token",
    params: UserId,
    query: PlaylistListQuery,
    replies: { 200: Playlists },
  },
  (c, { params, query }) => playlistPage(c, query, { list: "users/playlists", owner: params.id }),
);

playlists.post(
  "/playlists",
  {
    operationId: "createPlaylist",
    summary: "Create a playlist",
    description: "`tracks` takes objects with an `id` or a `urn`, in the order to play.",
    auth: "user",
    scope: "playlists",
    body: NewPlaylistBody,
    accepts: ["json", "form", "multipart"],
    replies: { 201: Playlist },
    errors: TOO_MANY,
  },
  async (c, { body }) => {
    const playlist = await makePlaylist(c, body.playlist);
    return c.json(playlist, 201, { Location: `${c.env.API_URL}/playlists/${playlist.id}` });
  },
);

playlists.get(
  "/playlists/:id",
  {
    operationId: "getPlaylist",
    summary: "Get a playlist",
    description: "Includes only tracks that you can see; counts and durations cover these.",
    auth: "token",
    params: PlaylistId,
    query: PlaylistParts.extend(OpensPlaylist.shape),
    precondition: "If-None-Match",
    replies: { 200: Playlist },
  },
  async (c, { params, query: { secret_token, ...parts } }) =>
    replyPlaylist(c, await findPlaylist(c, params.id, parts, secret_token)),
);

playlists.get(
  "/me/playlists/:id",
  {
    operationId: "getMyPlaylist",
    summary: "Get one of your playlists",
    description: "Like `/playlists/{id}`, but 404 for other users' playlists.",
    auth: "user",
    params: PlaylistId,
    query: PlaylistParts,
    precondition: "If-None-Match",
    replies: { 200: Playlist },
  },
  async (c, { params, query }) => {
    const found = await findPlaylist(c, params.id, query);
    return found.playlist.user_id === c.var.viewer.userId ? replyPlaylist(c, found) : notFound("Playlist");
  },
);

playlists.put(
  "/playlists/:id",
  {
    operationId: "updatePlaylist",
    summary: "Update a playlist",
    description:
      "Omitted fields stay unchanged. Null or an empty form value clears a nullable field. `tracks` adds " +
      "to the list; `/playlists/{id}/tracks` replaces and removes tracks.",
    auth: "user",
    scope: "playlists",
    params: PlaylistId,
    body: PlaylistChangesBody,
    accepts: ["json", "form", "multipart"],
    precondition: "If-Match",
    replies: { 200: Playlist },
    errors: { ...OTHERS, ...TOO_MANY },
  },
  async (c, { params, body }) =>
    c.json(await changePlaylist(c, params.id, body.playlist, { replaces: false })),
);

playlists.delete(
  "/playlists/:id",
  {
    operationId: "deletePlaylist",
    summary: "Delete a playlist",
    description: "Its tracks stay.",
    auth: "user",
    scope: "playlists",
    params: PlaylistId,
    precondition: "If-Match",
    replies: { 200: StatusBody },
    errors: OTHERS,
  },
  async (c, { params }) => {
    unwrap(await deletePlaylist(c.var.db, c.var.viewer, params.id, expectedVersions(c)));
    return c.json(statusBody(200));
  },
);

playlists.get(
  "/playlists/:id/tracks",
  {
    operationId: "listPlaylistTracks",
    summary: "List a playlist's tracks, in its order",
    description: "Takes the filters of `/tracks`. A search does not change the order; `sort` uses the time.",
    auth: "token",
    params: PlaylistId,
    query: TrackListQuery.extend(OpensPlaylist.shape),
    replies: { 200: Tracks },
  },
  (c, { params: { id }, query: { secret_token, ...given } }) => {
    const presented = presentedBy(c.req, secret_token);
    return sendTrackList<PlaylistTracksPosition>(c, given, {
      name: `playlists/${id}/tracks`,
      of: "Playlist",
      ask: (asked) => listPlaylistTracks(c.var.db, c.var.viewer, id, presented, asked),
    });
  },
);

playlists.put(
  "/playlists/:id/tracks",
  {
    operationId: "replacePlaylistTracks",
    summary: "Replace a playlist's tracks",
    description:
      "Replaces the whole list, in the given order. Tracks that their owners hide at present are kept, each behind the one before it.",
    auth: "user",
    scope: "playlists",
    params: PlaylistId,
    body: PlaylistTracksBody,
    accepts: ["json", "form"],
    precondition: "If-Match",
    replies: { 200: Playlist },
    errors: { ...OTHERS, ...TOO_MANY },
  },
  async (c, { params, body: { tracks } }) =>
    c.json(await changePlaylist(c, params.id, { tracks }, { replaces: true })),
);

playlists.delete(
  "/playlists/:id/tracks/:trackId",
  {
    operationId: "removePlaylistTrack",
    summary: "Remove a track from a playlist",
    description: "The other tracks keep their order.",
    auth: "user",
    scope: "playlists",
    params: PlaylistTrackId,
    precondition: "If-Match",
    replies: { 200: StatusBody },
    errors: OTHERS,
  },
  async (c, { params: { id, trackId } }) => {
    unwrap(await removePlaylistTrack(c.var.db, c.var.viewer, id, trackId, expectedVersions(c)));
    return c.json(statusBody(200));
  },
);

/** Throws 404 for a hidden playlist, too. */
async function findPlaylist(
  c: Context<TokenEnv> | Context<UserEnv>,
  id: number,
  parts: z.output<typeof PlaylistParts>,
  secretToken?: string,
) {
  const found = await readPlaylist(c.var.db, c.var.viewer, id, {
    facts: presentedBy(c.req, secretToken),
    shown: trackDetail(parts),
    access: parts.access,
  });
  return found ?? notFound("Playlist");
}

const replyPlaylist = (c: Context<TokenEnv> | Context<UserEnv>, found: ShownPlaylist) =>
  taggedReply(c, representShown(c.env, found), found.playlist.updated_at);
