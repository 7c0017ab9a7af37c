import type { Context } from "hono";
import * as z from "zod";
import { openStorage } from "../../../db/objects/open.ts";
import type { PlayableMedia } from "../../../db/queries/media.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { serveObject, serveSmallFile } from "../../lib/http/files/stored-file.ts";
import { type ReplyBody, Routes } from "../../lib/http/route.ts";
import { COMMON } from "../../lib/pictures/formats.ts";
import { documentedAs, flagText } from "../../lib/text/fields.ts";
import { sendCover } from "./covers.ts";
import { mp3SegmentRange, timestampTag } from "./mp3-segments.ts";
import { reportPlay } from "./play-report.ts";
import {
  AAC_KBITS,
  type AacKbits,
  AHEAD,
  growingPlaylist,
  masterPlaylist,
  mediaPlaylist,
  mp3Playlist,
} from "./playlists.ts";
import { finished, playable, playableNow, prefixOf, waveforms } from "./rights.ts";
import { type MediaGrant, type Rendition, readMediaToken, TokenInPath } from "./token.ts";
import { sendWholeMp3, served, wholeMp3 } from "./whole-mp3.ts";

/** Fetching it counts as a play. Programs that only inspect a stream fetch playlists and `init.mp4`. */
const FIRST_SEGMENT = "0.m4s";

const Rung = TokenInPath.extend({ bitrate: z.enum(AAC_KBITS).describe("kbit/s.") });
const Segment = Rung.extend({
  segment: z
    .string()
    .regex(/^(init\.mp4|[0-9]{1,6}\.m4s)$/)
    .describe("Name of the segment in the playlist."),
});
/** Documents only the number, because the suffix is part of the path. */
const Mp3Segment = TokenInPath.extend({
  segment: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,4})\.mp3$/)
    .meta({
      ...documentedAs({ type: "integer", minimum: 0 }),
      description: "Number of the segment, from 0.",
    }),
});

/** Documents only the format, because the suffix is part of the path. */
const CoverFormat = TokenInPath.extend({
  format: z
    .enum(Object.keys(COMMON).map((format) => `${format}.png`))
    .transform((file) => file.replace(".png", ""))
    .meta({ ...documentedAs({ type: "string", enum: Object.keys(COMMON) }), description: "As of artwork." }),
});

const Ahead = z.object({
  ahead: flagText
    .default(false)
    .describe("`true` for players that load a stream before it is wanted: fetching it then counts no play."),
});

const PLAYLIST = {
  auth: "page",
  tag: "media",
  replies: { 200: "application/vnd.apple.mpegurl" },
} as const;

const Waveform = z
  .object({
    width: z.int().meta({ description: "Number of samples.", examples: [1800] }),
    height: z.int().meta({ description: "The level of full scale.", examples: [280] }),
    samples: z.array(z.int()).meta({
      description:
        "The peak level of each part of the track, from 0 to `height`. The parts are equally long.",
      examples: [[12, 140, 263]],
    }),
  })
  .meta({ id: "Waveform" });

/** `whole` describes the file's content, if it is JSON. */
const fileOf = (mediaType: string, whole: ReplyBody = mediaType) =>
  ({
    description:
      "404 within a minute after the track was deleted, made private, blocked or hidden. Replacing a private track's secret token works at once.",
    auth: "page",
    tag: "media",
    replies: { 200: whole, 206: mediaType, 304: "" },
    errors: { 416: "The range lies outside the file." },
  }) as const;

/** Signed URLs, `/media/{token}/…`. The token suffices, so any player can play them. */
export const media = new Routes();

media.get(
  "/media/:token/master.m3u8",
  {
    operationId: "getMasterPlaylist",
    summary: "Get the master playlist",
    description: "Names the playlists of each bitrate. The address is signed and expires.",
    ...PLAYLIST,
    params: TokenInPath,
    query: Ahead,
  },
  async (c, { params, query }) => {
    const found = await playableNow(c, openGrant(c, params.token, ["hls"]));
    return sendPlaylist(c, masterPlaylist(found.media, query.ahead));
  },
);

media.get(
  "/media/:token/:bitrate/playlist.m3u8",
  {
    operationId: "getMediaPlaylist",
    summary: "Get the media playlist of one bitrate",
    description: "Names the segments. While the track is encoded, it grows.",
    ...PLAYLIST,
    params: Rung,
    query: Ahead,
  },
  async (c, { params, query }) => {
    const found = await playableNow(c, openGrant(c, params.token, hlsOf(params.bitrate)));
    const text = aacPlaylist(found);
    return sendPlaylist(c, query.ahead ? text.replace(FIRST_SEGMENT, FIRST_SEGMENT + AHEAD) : text);
  },
);

media.get(
  "/media/:token/:bitrate/:segment",
  {
    operationId: "getSegment",
    summary: "Get an initialisation or media segment",
    ...fileOf("audio/mp4"),
    params: Segment,
    query: Ahead,
  },
  async (c, { params: { token, bitrate, segment }, query }) => {
    const grant = openGrant(c, token, hlsOf(bitrate));
    const found = await playable(c, grant);
    const key = `${prefixOf(grant)}hls/${bitrate}/${segment}`;
    const reply = await serveObject(c, objects(c), { key, ...served("audio/mp4", grant, found) });
    if (segment === FIRST_SEGMENT && !query.ahead) reportPlay(c, grant, reply);
    return reply;
  },
);

media.get(
  "/media/:token/audio.mp3",
  {
    operationId: "getMp3",
    summary: "Get the whole track as MP3, 128 kbps",
    ...fileOf("audio/mpeg"),
    params: TokenInPath,
  },
  async (c, { params }) => {
    const grant = openGrant(c, params.token, ["mp3"]);
    return sendWholeMp3(c, grant, await finished(c, grant));
  },
);

media.get(
  "/media/:token/audio.m3u8",
  {
    operationId: "getMp3Playlist",
    summary: "Get the media playlist of the MP3",
    description: "Names the segments. The address is signed and expires.",
    ...PLAYLIST,
    params: TokenInPath,
  },
  async (c, { params }) => {
    const { media } = await playableNow(c, openGrant(c, params.token, ["hls_mp3"]));
    return sendPlaylist(c, mp3Playlist(media ?? notFound("Media")));
  },
);

media.get(
  "/media/:token/audio/:segment.mp3",
  {
    operationId: "getMp3Segment",
    summary: "Get a segment of the MP3: an ID3 tag with its time, then whole frames",
    ...fileOf("audio/mpeg"),
    params: Mp3Segment,
  },
  async (c, { params: { token, segment } }) => {
    const grant = openGrant(c, token, ["hls_mp3"]);
    const found = await finished(c, grant);
    const n = Number.parseInt(segment, 10);
    const range = mp3SegmentRange(found.media, n) ?? notFound("Media");
    const tag = timestampTag(found.media, n);
    const reply = await serveSmallFile(c, {
      key: `${prefixOf(grant)}audio/${segment}`,
      ...served("audio/mpeg", grant, found),
      load: async () => ({
        size: tag.length + range.end - range.start + 1,
        body: await wholeMp3(c, grant, found).read(range, tag),
      }),
    });
    if (n === 0) reportPlay(c, grant, reply);
    return reply;
  },
);

media.get(
  "/media/:token/preview.mp3",
  {
    operationId: "getPreview",
    summary: "Get the first 30 seconds as MP3",
    ...fileOf("audio/mpeg"),
    params: TokenInPath,
  },
  async (c, { params }) => {
    const grant = openGrant(c, params.token, ["preview"]);
    const found = await playable(c, grant);
    const key = `${prefixOf(grant)}preview.mp3`;
    const reply = await serveObject(c, objects(c), { key, ...served("audio/mpeg", grant, found) });
    reportPlay(c, grant, reply);
    return reply;
  },
);

media.get(
  "/media/:token/waveform.png",
  {
    operationId: "getWaveformImage",
    summary: "Get the waveform as a picture of 1800 by 280 pixels",
    ...fileOf("image/png"),
    params: TokenInPath,
  },
  (c, { params }) => sendWaveform(c, params.token, "waveform.png", "image/png"),
);

media.get(
  "/media/:token/waveform.json",
  {
    operationId: "getWaveformSamples",
    summary: "Get the waveform as samples",
    ...fileOf("application/json", Waveform),
    params: TokenInPath,
  },
  (c, { params }) => sendWaveform(c, params.token, "waveform.json", "application/json"),
);

media.get(
  "/media/:token/cover.svg",
  {
    operationId: "getCover",
    summary: "Get a cover drawn from the track's own sound",
    ...fileOf("image/svg+xml"),
    description:
      "For tracks without artwork, under the address of the waveform with this last part. 404 within a minute after the track was deleted, made private, blocked or hidden.",
    params: TokenInPath,
  },
  (c, { params }) => sendCover(c, openGrant(c, params.token, ["waveform"])),
);

media.get(
  "/media/:token/cover/:format.png",
  {
    operationId: "getCoverAsPng",
    summary: "Get the drawn cover as PNG",
    ...fileOf("image/png"),
    params: CoverFormat,
  },
  (c, { params }) => sendCover(c, openGrant(c, params.token, ["waveform"]), params.format),
);

const aacPlaylist = ({ media, growing }: PlayableMedia): string =>
  media ? mediaPlaylist(media) : growingPlaylist(growing ?? notFound("Media"));

async function sendWaveform(
  c: Context<AppEnv>,
  token: string,
  name: string,
  contentType: string,
): Promise<Response> {
  const grant = openGrant(c, token, ["waveform"]);
  const found = await waveforms.checkCached(c, grant);
  return serveObject(c, objects(c), { key: prefixOf(grant) + name, ...served(contentType, grant, found) });
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

const objects = (c: Context<AppEnv>) => openStorage(c.env).objects;
const hlsOf = (bitrate: AacKbits): Rendition[] => (bitrate === "96" ? ["hls", "hls_96"] : ["hls"]);
