import { Hono } from "hono";
import { findPlaylistSecret, rotatePlaylistSecret } from "../../db/queries/playlists.ts";
import { operation, param } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { apiUrl } from "../http/links.ts";
import { seal, unseal } from "../http/sealing.ts";
import { requireUser } from "../http/viewer.ts";
import { hashSecretToken, newSecretToken } from "../tracks/secret.ts";
import { representSecret, SecretTokenBody } from "../tracks/sharing.ts";
import { PlaylistId } from "./input.ts";
import { done } from "./refusals.ts";

export const secrets = new Hono<AppEnv>();

secrets.get(
  "/:id/secret-token",
  operation("Get a playlist's secret token", { 200: SecretTokenBody, 403: ErrorBody }),
  requireUser,
  param(PlaylistId),
  async (c) => {
    const { id } = c.req.valid("param");
    const { secret_sealed } = done(await findPlaylistSecret(c.var.db, c.var.viewer, id));
    const secret = unseal(c.env, Buffer.from(secret_sealed, "base64")) ?? "";
    return c.json(representSecret(apiUrl(c.env, `/playlists/${id}`), secret));
  },
);

secrets.put(
  "/:id/secret-token",
  operation(
    "Replace a playlist's secret token",
    { 200: SecretTokenBody, 403: ErrorBody },
    { description: "Links with the old one stop working at once." },
  ),
  requireUser,
  param(PlaylistId),
  async (c) => {
    const { id } = c.req.valid("param");
    const secret = newSecretToken();
    const stored = { hash: hashSecretToken(secret), sealed: seal(c.env, secret) };
    done(await rotatePlaylistSecret(c.var.db, c.var.viewer, id, stored));
    return c.json(representSecret(apiUrl(c.env, `/playlists/${id}`), secret));
  },
);
