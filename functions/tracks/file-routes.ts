import { type Context, Hono } from "hono";
import * as z from "zod";
import { openStorage } from "../../db/objects/open.ts";
import { downloadTrack } from "../../db/queries/own-tracks.ts";
import { operation, param, query } from "../http/contract.ts";
import { attachment } from "../http/disposition.ts";
import type { AppEnv, TokenEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { Redirect, redirectTo } from "../http/redirect.ts";
import { requireToken } from "../http/viewer.ts";
import { SecretToken, TrackId } from "./input.ts";
import { done } from "./refusals.ts";
import { presentedBy, secretHashOf } from "./secret.ts";
import { Streams, streamsOf } from "./streams.ts";
import { refuseUnplayable, visibleTrack } from "./visible.ts";

/** What leads to a track's files. */
export const files = new Hono<AppEnv>();

const refusals = { 403: ErrorBody, 404: ErrorBody };

/** Seconds. Storage asks nobody, so what was taken down can be fetched for as long; a download that began goes on. */
const DOWNLOAD_TTL_S = 60;

/** There is no way to attach anything yet. */
const Attachments = z.array(z.never()).meta({ id: "Attachments" });

const NOT_KEPT = { "Cache-Control": "private, no-store" };

files.get(
  "/:id/streams",
  operation("Get the links to a track's streams", { 200: Streams, ...refusals }),
  requireToken,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await streams(c, id, c.req.valid("query").secret_token), 200, NOT_KEPT);
  },
);

files.get(
  "/:id/stream",
  operation(
    "Get the links to a track's streams, by their older name",
    { 200: Streams, 302: Redirect, ...refusals },
    { description: "In the older dialect a redirect to the MP3." },
  ),
  requireToken,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const found = await streams(c, c.req.valid("param").id, c.req.valid("query").secret_token);
    const mp3 = found.http_mp3_128_url ?? found.preview_mp3_128_url;
    if (c.var.dialect === "older" && mp3) return redirectTo(c, mp3);
    return c.json(found, 200, NOT_KEPT);
  },
);

files.get(
  "/:id/preview",
  operation(
    "Get the preview of a track",
    { 302: Redirect, ...refusals },
    { description: "Leads to an MP3 of its first 30 seconds." },
  ),
  requireToken,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const found = await streams(c, c.req.valid("param").id, c.req.valid("query").secret_token);
    return redirectTo(c, found.preview_mp3_128_url ?? notFound("Preview"));
  },
);

async function streams(c: Context<TokenEnv>, id: number, secretToken: string | undefined): Promise<Streams> {
  const track = await visibleTrack(c, id, secretToken);
  refuseUnplayable(c, track);
  return streamsOf(c.env, track, listenerOf(c, secretToken));
}

const listenerOf = (c: Context<TokenEnv>, secretToken: string | undefined) => ({
  userId: c.var.viewer.userId,
  secretHash: secretHashOf(secretToken),
  app: c.var.viewer.userId === null ? c.var.viewer.clientId : undefined,
});

files.get(
  "/:id/download",
  operation(
    "Download the original file of a track",
    { 302: Redirect, ...refusals },
    { description: "404 unless it is downloadable, or yours. HEAD does not count as a download." },
  ),
  requireToken,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const { id } = c.req.valid("param");
    const presented = presentedBy(c.req, c.req.valid("query").secret_token);
    const counts = c.req.method === "GET";
    const { key, filename } = done(await downloadTrack(c.var.db, c.var.viewer, id, presented, counts));
    const { downloads } = openStorage(c.env);
    return redirectTo(c, await downloads.presign(key, attachment(filename), DOWNLOAD_TTL_S));
  },
);

files.get(
  "/:id/attachments",
  operation("List a track's attachments", { 200: Attachments, 404: ErrorBody }),
  requireToken,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    await visibleTrack(c, c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json([]);
  },
);
