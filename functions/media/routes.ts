import { type Context, Hono } from "hono";
import * as z from "zod";
import { mediaPrefix } from "../../db/objects/keys.ts";
import { openStorage } from "../../db/objects/open.ts";
import { findMedia, type PlayableMedia } from "../../db/queries/tracks.ts";
import { operation, param } from "../http/contract.ts";
import { countryOf } from "../http/country.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { notePlay } from "../plays/streamed.ts";
import { partedFile, serveFile, serveObject } from "./files.ts";
import { masterPlaylist, mediaPlaylist } from "./playlists.ts";
import { type MediaGrant, type Rendition, readMediaToken } from "./token.ts";

/** Keys are never written twice, so what they hold never changes; shared caches must not see what is private. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const PRIVATE = "private, max-age=600";

/** Whoever fetches it plays; playlists and `init.mp4` are fetched by who only looks. */
const FIRST_SEGMENT = "0.m4s";

const Token = { token: z.string().max(500) };
const Bitrate = z.enum(["160", "96"]);

const playlist = (summary: string) =>
  operation(summary, { 200: "application/vnd.apple.mpegurl", 404: ErrorBody }, { tags: ["media"] });
const file = (summary: string, mediaType: string) =>
  operation(summary, { 200: mediaType, 206: mediaType, 404: ErrorBody, 416: ErrorBody }, { tags: ["media"] });

/** Signed URLs, `/media/{token}/…`: the token is all that is needed, so that any player plays them. */
export const media = new Hono<AppEnv>();

media.get("/:token/master.m3u8", playlist("Master playlist"), param(z.object(Token)), async (c) => {
  const found = await playable(c, openGrant(c, c.req.valid("param").token, ["hls"]));
  return sendPlaylist(c, masterPlaylist(found.media));
});

media.get(
  "/:token/:bitrate/playlist.m3u8",
  playlist("Media playlist of one bitrate"),
  param(z.object({ ...Token, bitrate: Bitrate })),
  async (c) => {
    const { token, bitrate } = c.req.valid("param");
    const found = await playable(c, openGrant(c, token, hlsOf(bitrate)));
    return sendPlaylist(c, mediaPlaylist(found.media));
  },
);

media.get(
  "/:token/:bitrate/:segment{(?:init\\.mp4|[0-9]{1,6}\\.m4s)}",
  file("Initialisation or media segment", "audio/mp4"),
  param(z.object({ ...Token, bitrate: Bitrate, segment: z.string() })),
  async (c) => {
    const { token, bitrate, segment } = c.req.valid("param");
    const grant = openGrant(c, token, hlsOf(bitrate));
    if (grant.private) await playable(c, grant);
    const key = `${prefixOf(grant)}hls/${bitrate}/${segment}`;
    const served = { contentType: "audio/mp4", cacheControl: cacheOf(grant) };
    const reply = await serveObject(c, objects(c), key, served);
    if (segment === FIRST_SEGMENT) notePlay(c, grant, reply);
    return reply;
  },
);

media.get(
  "/:token/audio.mp3",
  file("The whole track as MP3, 128 kbps", "audio/mpeg"),
  param(z.object(Token)),
  async (c) => {
    const grant = openGrant(c, c.req.valid("param").token, ["mp3"]);
    const { bytes, part_bytes } = (await playable(c, grant)).media.renditions.mp3_128;
    const served = { size: bytes, contentType: "audio/mpeg", cacheControl: cacheOf(grant) };
    const file = partedFile(objects(c), (n) => `${prefixOf(grant)}mp3/${n}.mp3`, part_bytes, served);
    const reply = await serveFile(c, file);
    notePlay(c, grant, reply);
    return reply;
  },
);

media.get(
  "/:token/preview.mp3",
  file("The first 30 seconds as MP3", "audio/mpeg"),
  param(z.object(Token)),
  async (c) => {
    const grant = openGrant(c, c.req.valid("param").token, ["preview"]);
    await playable(c, grant);
    const served = { contentType: "audio/mpeg", cacheControl: cacheOf(grant) };
    const reply = await serveObject(c, objects(c), `${prefixOf(grant)}preview.mp3`, served);
    notePlay(c, grant, reply);
    return reply;
  },
);

media.get(
  "/:token/waveform.png",
  file("Waveform, 1800 by 280 pixels", "image/png"),
  param(z.object(Token)),
  (c) => sendWaveform(c, c.req.valid("param").token, "waveform.png", "image/png"),
);

media.get(
  "/:token/waveform.json",
  file("Waveform as samples", "application/json"),
  param(z.object(Token)),
  (c) => sendWaveform(c, c.req.valid("param").token, "waveform.json", "application/json"),
);

async function sendWaveform(
  c: Context<AppEnv>,
  token: string,
  name: string,
  contentType: string,
): Promise<Response> {
  const grant = openGrant(c, token, ["waveform"]);
  return serveObject(c, objects(c), prefixOf(grant) + name, { contentType, cacheControl: IMMUTABLE });
}

function sendPlaylist(c: Context<AppEnv>, text: string): Response {
  return c.body(text, 200, {
    "Content-Type": "application/vnd.apple.mpegurl",
    "Cache-Control": "private, no-cache",
  });
}

function openGrant(c: Context<AppEnv>, token: string, renditions: readonly Rendition[]): MediaGrant {
  const grant = readMediaToken(c.env, token);
  return grant && renditions.includes(grant.rendition) ? grant : notFound("Media");
}

/** Asks the database whether the track may still be played by whoever the URL was made for. */
async function playable(c: Context<AppEnv>, grant: MediaGrant): Promise<PlayableMedia> {
  const found = await findMedia(c.var.db, grant, countryOf(c.req));
  if (found?.media_prefix !== prefixOf(grant)) return notFound("Media");
  if (found.access === "preview" && grant.rendition !== "preview") return notFound("Media");
  return found;
}

const objects = (c: Context<AppEnv>) => openStorage(c.env).objects;
const prefixOf = (grant: MediaGrant) => mediaPrefix(grant.trackId, grant.lease);
const cacheOf = (grant: MediaGrant) => (grant.private ? PRIVATE : IMMUTABLE);
const hlsOf = (bitrate: "160" | "96"): Rendition[] => (bitrate === "96" ? ["hls", "hls_96"] : ["hls"]);
