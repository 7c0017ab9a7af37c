import { findPlaylistSecret, rotatePlaylistSecret } from "../../../db/queries/own-playlists.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { newSecret } from "../tracks/secret.ts";
import { representSecret, SecretTokenBody } from "../tracks/sharing.ts";
import { unwrap } from "./errors.ts";
import { PlaylistId } from "./input.ts";

/** Requests that only a playlist's owner may make. */
export const playlistSharing = new Routes();

const OTHERS = { 403: "The playlist is another user's." };

playlistSharing.get(
  "/playlists/:id/secret-token",
  {
    operationId: "getPlaylistSecretToken",
    summary: "Get a playlist's secret token",
    description: "Owners only. Whoever has the token can open the private playlist.",
    auth: "user",
    params: PlaylistId,
    replies: { 200: SecretTokenBody },
    errors: OTHERS,
  },
  async (c, { params: { id } }) => {
    const { secret_sealed } = unwrap(await findPlaylistSecret(c.var.db, c.var.viewer, id));
    const secret = unsealBase64(c.env, secret_sealed) ?? "";
    return c.json(representSecret(apiUrl(c.env, `/playlists/${id}`), secret));
  },
);

playlistSharing.put(
  "/playlists/:id/secret-token",
  {
    operationId: "replacePlaylistSecretToken",
    summary: "Replace a playlist's secret token",
    description: "Links with the old token stop working at once.",
    auth: "user",
    scope: "playlists",
    params: PlaylistId,
    replies: { 200: SecretTokenBody },
    errors: OTHERS,
  },
  async (c, { params: { id } }) => {
    const { token, stored } = newSecret(c.env);
    unwrap(await rotatePlaylistSecret(c.var.db, c.var.viewer, id, stored));
    return c.json(representSecret(apiUrl(c.env, `/playlists/${id}`), token));
  },
);
