import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { Access, GrowingMedia, LoudnessRow } from "./track-rows.ts";

/** Report of the transcoder on a finished track. */
export const Media = () =>
  z.strictObject({
    /** Samples per channel at `sample_rate`, after decoding. */
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
    loudness: LoudnessRow().optional(),
    /** Codes. */
    warnings: z.array(z.string()).optional(),
  });
export type Media = ReplyOf<typeof Media>;

const HlsRendition = () =>
  z.strictObject({
    /** Bits per second: the maximum of any segment, and the average of all. */
    bandwidth: z.number(),
    average_bandwidth: z.number(),
    /** RFC 6381. */
    codecs: z.string(),
  });

/** Location of the files behind a media URL, while the URL is valid. */
export const OpenMedia = () =>
  z.strictObject({
    media_prefix: z.string(),
    /** The answer is the same for all listeners, wherever they are. */
    for_all: z.boolean(),
  });
export type OpenMedia = ReplyOf<typeof OpenMedia>;

/** Media that the URL's listener may play now. */
export const PlayableMedia = () =>
  OpenMedia().extend({
    access: Access(),
    /** Null until the track is finished. */
    media: Media().nullable(),
    /** Null except while the track is being encoded. */
    growing: GrowingMedia().nullable(),
  });
export type PlayableMedia = ReplyOf<typeof PlayableMedia>;

/** Claims of a media URL. `secretPrefix` begins the hash of the track's secret at that time. */
interface MediaBearer {
  trackId: number;
  listenerId: number | null;
  secretPrefix: string;
  /** Hash of the secret that granted access, base64url; "" for none. */
  openedBy: string;
}

/** `undefined` if nothing may be played. */
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

/** `undefined` if the track is hidden. */
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
