import {
  type AddressRow,
  changePlaylistPermalink,
  findPlaylistAddress,
} from "../../../db/queries/addresses.ts";
import type { Env } from "../../lib/http/env.ts";
import { expectedVersions } from "../../lib/http/etag.ts";
import { Routes } from "../../lib/http/route.ts";
import { Permalink, PlaylistPermalinkBody, representPermalink } from "../users/permalinks.ts";
import { unwrap } from "./errors.ts";
import { PlaylistId } from "./input.ts";

/** A playlist's permalink. Owners only. */
export const playlistPermalinks = new Routes();

const OTHERS = { 403: "The playlist is another user's." };

const represent = (env: Env, address: AddressRow) =>
  representPermalink(env, address, `${address.owner}/sets/${address.permalink}`);

playlistPermalinks.get(
  "/playlists/:id/permalink",
  {
    operationId: "getPlaylistPermalink",
    summary: "Get a playlist's permalink",
    description: "Owners only. Includes the former ones, which still lead to the playlist.",
    auth: "user",
    params: PlaylistId,
    replies: { 200: Permalink },
    errors: OTHERS,
  },
  async (c, { params }) => {
    const { address } = unwrap(await findPlaylistAddress(c.var.db, c.var.viewer, params.id));
    return c.json(represent(c.env, address));
  },
);

playlistPermalinks.put(
  "/playlists/:id/permalink",
  {
    operationId: "updatePlaylistPermalink",
    summary: "Change a playlist's permalink",
    description:
      "Moves the playlist's page and its feed. The former addresses redirect for ever. Until a playlist is first published its permalink follows the title, unless you chose one here.",
    auth: "user",
    scope: "playlists",
    params: PlaylistId,
    body: PlaylistPermalinkBody,
    accepts: ["json", "form"],
    precondition: "If-Match",
    replies: { 200: Permalink },
    errors: OTHERS,
  },
  async (c, { params: { id }, body: { permalink } }) => {
    const changed = await changePlaylistPermalink(c.var.db, c.var.viewer, id, permalink, expectedVersions(c));
    return c.json(represent(c.env, unwrap(changed).address));
  },
);
