import type { Context } from "hono";
import * as z from "zod";
import { openStorage } from "../../../db/objects/open.ts";
import { downloadTrack } from "../../../db/queries/own-tracks.ts";
import type { TokenEnv } from "../../lib/http/env.ts";
import { attachment } from "../../lib/http/files/disposition.ts";
import { collectionOf, Paging, sendPageById } from "../../lib/http/paging.ts";
import { Redirect, redirectTo } from "../../lib/http/redirect.ts";
import { Routes } from "../../lib/http/route.ts";
import { unwrap } from "./errors.ts";
import { findVisibleTrack, refuseUnplayable, refuseUnready } from "./find.ts";
import { SecretToken, TrackId } from "./input.ts";
import { presentedBy, secretHashOf } from "./secret.ts";
import { Streams, streamsOf } from "./streams.ts";

/** Requests for a track's files. */
export const trackFiles = new Routes();

/**
 * Seconds. Storage does not check rights, so a deleted file stays available this long. A started download
 * continues.
 */
const DOWNLOAD_TTL_S = 60;

/** Attachments cannot be created yet. */
const Attachments = collectionOf(z.strictObject({}), "tracks").meta({ id: "Attachments" });

const NO_STORE = { "Cache-Control": "private, no-store" };

const UNPLAYABLE = { 403: "You may not play the track." };

trackFiles.get(
  "/tracks/:id/streams",
  {
    operationId: "getTrackStreams",
    summary: "Get the links to a track's streams",
    description:
      "While a track is being encoded, the HLS links play what is ready and grow. The other links come with `finished`.",
    auth: "token",
    params: TrackId,
    query: SecretToken,
    replies: { 200: Streams },
    errors: UNPLAYABLE,
  },
  async (c, { params, query }) => c.json(await findStreams(c, params.id, query.secret_token), 200, NO_STORE),
);

trackFiles.get(
  "/tracks/:id/stream",
  {
    operationId: "getTrackStream",
    summary: "Get the links to a track's streams, under the older name",
    description: "Redirects to the MP3 in the older dialect.",
    auth: "token",
    params: TrackId,
    query: SecretToken,
    media: true,
    replies: { 200: Streams, 302: Redirect },
    errors: UNPLAYABLE,
  },
  async (c, { params, query }) => {
    const found = await findStreams(c, params.id, query.secret_token);
    const mp3 = found.http_mp3_128_url ?? found.preview_mp3_128_url;
    if (c.var.dialect === "older") return redirectTo(c, mp3 ?? refuseUnready("processing"));
    return c.json(found, 200, NO_STORE);
  },
);

trackFiles.get(
  "/tracks/:id/preview",
  {
    operationId: "getTrackPreview",
    summary: "Get the preview of a track",
    description: "Redirects to an MP3 of its first 30 seconds.",
    auth: "token",
    params: TrackId,
    query: SecretToken,
    media: true,
    replies: { 302: Redirect },
    errors: UNPLAYABLE,
  },
  async (c, { params, query }) => {
    const found = await findStreams(c, params.id, query.secret_token);
    return redirectTo(c, found.preview_mp3_128_url ?? refuseUnready("processing"));
  },
);

async function findStreams(
  c: Context<TokenEnv>,
  id: number,
  secretToken: string | undefined,
): Promise<Streams> {
  const track = await findVisibleTrack(c, id, secretToken);
  refuseUnplayable(c, track);
  return streamsOf(c.env, track, listenerOf(c, secretToken));
}

const listenerOf = (c: Context<TokenEnv>, secretToken: string | undefined) => ({
  userId: c.var.viewer.userId,
  secretHash: secretHashOf(secretToken),
  from: { app: c.var.viewer.clientId },
});

trackFiles.get(
  "/tracks/:id/download",
  {
    operationId: "downloadTrack",
    summary: "Download the original file of a track",
    description: "404 unless the track is downloadable or yours. HEAD does not count as a download.",
    auth: "token",
    params: TrackId,
    query: SecretToken,
    media: true,
    replies: { 302: Redirect },
    errors: { 403: "You may not download the track." },
  },
  async (c, { params, query }) => {
    const presented = presentedBy(c.req, query.secret_token);
    const method = c.req.method === "HEAD" ? "HEAD" : "GET";
    const { key, filename } = unwrap(
      await downloadTrack(c.var.db, c.var.viewer, params.id, presented, method === "GET"),
    );
    const { downloads } = openStorage(c.env);
    return redirectTo(c, await downloads.presign(method, key, attachment(filename), DOWNLOAD_TTL_S));
  },
);

trackFiles.get(
  "/tracks/:id/attachments",
  {
    operationId: "listTrackAttachments",
    summary: "List a track's attachments",
    description: "Always empty: this service has no attachments.",
    auth: "token",
    params: TrackId,
    query: z.object({ ...SecretToken.shape, ...Paging.shape }),
    replies: { 200: Attachments },
  },
  async (c, { params, query }) => {
    await findVisibleTrack(c, params.id, query.secret_token);
    const list = `tracks/${params.id}/attachments`;
    return sendPageById(c, query, { list, find: async () => [], represent: (row) => row });
  },
);
