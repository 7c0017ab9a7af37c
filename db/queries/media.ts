import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { Access } from "./tracks.ts";

/** What the transcoder reported of a finished track. */
export const Media = () =>
  z.strictObject({
    /** Samples per channel at `sample_rate`, as decoded. */
    frames: z.number(),
    /** 44,100 or 48,000. */
    sample_rate: z.number(),
    renditions: z.strictObject({
      aac_160: HlsRendition(),
      aac_96: HlsRendition(),
      mp3_128: z.strictObject({
        bytes: z.number(),
        part_bytes: z.number(),
      }),
      preview_mp3_128: z.strictObject({
        bytes: z.number(),
      }),
    }),
    /** Kept for ourselves: no reply shows them. */
    loudness: z.unknown().optional(),
    warnings: z.array(z.string()).optional(),
  });
export type Media = Told<typeof Media>;

export const HlsRendition = () =>
  z.strictObject({
    /** Bits per second: the highest of any segment, and over the whole. */
    bandwidth: z.number(),
    average_bandwidth: z.number(),
    /** RFC 6381. */
    codecs: z.string(),
  });
export type HlsRendition = Told<typeof HlsRendition>;

/** For a media URL: where its files lie, as long as it opens them. */
export const OpenMedia = () =>
  z.strictObject({
    media_prefix: z.string(),
    /** The answer is the same for every listener, wherever they are. */
    for_all: z.boolean(),
  });
export type OpenMedia = Told<typeof OpenMedia>;

/** What may be played now, by whoever the URL was made for. */
export const PlayableMedia = () =>
  OpenMedia().extend({
    access: Access(),
    media: Media(),
  });
export type PlayableMedia = Told<typeof PlayableMedia>;

/** What a media URL says of who made it. `secretPrefix` is the start of the hash of the secret that the track had then. */
export interface MediaBearer {
  trackId: number;
  listenerId: number | null;
  secretPrefix: string;
  /** Base64url of the hash of the secret that came for it; "" for none. */
  openedBy: string;
}

/** `undefined` where nothing may be played. */
export async function findMedia(
  db: Database,
  { trackId, listenerId, secretPrefix, openedBy }: MediaBearer,
  country: string | undefined,
): Promise<PlayableMedia | undefined> {
  const media = await db.call("find_media", () => PlayableMedia().nullable(), {
    track: trackId,
    viewer: listenerId,
    secret_prefix: secretPrefix,
    secret_hash: openedBy ? Buffer.from(openedBy, "base64url") : null,
    country: country ?? null,
  });
  return media ?? undefined;
}

/** `undefined` where the track is not to be seen. */
export async function findWaveform(
  db: Database,
  { trackId, secretPrefix }: MediaBearer,
): Promise<OpenMedia | undefined> {
  return (
    (await db.call("find_waveform", () => OpenMedia().nullable(), {
      track: trackId,
      secret_prefix: secretPrefix,
    })) ?? undefined
  );
}
