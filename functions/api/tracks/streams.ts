import * as z from "zod";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import type { Env } from "../../lib/http/env.ts";
import { type Listener, mediaUrl } from "../media/links.ts";

/** Links to playable streams. Each works without further headers until it expires. */
export const Streams = z
  .strictObject({
    hls_aac_160_url: z.url().optional(),
    hls_aac_96_url: z.url().optional(),
    hls_mp3_128_url: z.url().optional(),
    http_mp3_128_url: z.url().optional(),
    preview_mp3_128_url: z.url().optional(),
  })
  .meta({ id: "Streams" });
export type Streams = z.infer<typeof Streams>;

type StreamsEnv = Pick<Env, "SIGNING_KEYS" | "API_URL">;

/** Whether a track is playable now: finished, or partly encoded. */
export const isPlayable = ({ access, state, growing }: TrackRow): boolean =>
  state === "finished" ? access !== "blocked" : growing !== null && access === "playable";

/** Only for a playable track. */
export function streamsOf(env: StreamsEnv, track: TrackRow, listener: Listener): Streams {
  const preview = { preview_mp3_128_url: mediaUrl(env, track, "preview", listener, "preview.mp3") };
  if (track.access === "preview") return preview;
  const aac = {
    hls_aac_160_url: mediaUrl(env, track, "hls", listener, "master.m3u8"),
    hls_aac_96_url: mediaUrl(env, track, "hls_96", listener, "96/playlist.m3u8"),
  };
  if (track.state !== "finished") return aac;
  return {
    ...aac,
    hls_mp3_128_url: mediaUrl(env, track, "hls_mp3", listener, "audio.m3u8"),
    http_mp3_128_url: mediaUrl(env, track, "mp3", listener, "audio.mp3"),
    ...preview,
  };
}
