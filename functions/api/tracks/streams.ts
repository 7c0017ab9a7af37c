import * as z from "zod";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import type { Env } from "../../lib/http/env.ts";
import { about } from "../../lib/text/fields.ts";
import { type Listener, mediaUrl } from "../media/links.ts";

/** Links to playable streams. Each works without further headers until it expires. */
export const Streams = z
  .strictObject({
    hls_aac_160_url: z
      .url()
      .optional()
      .meta(
        about(
          "HLS, AAC at up to 160 kbit/s. It expires: ask anew for each play.",
          "https://api.soundpost.example/media/eyJh.c2ln/master.m3u8",
        ),
      ),
    hls_aac_96_url: z
      .url()
      .optional()
      .meta(
        about("HLS, AAC at 96 kbit/s.", "https://api.soundpost.example/media/eyJh.c2ln/96/playlist.m3u8"),
      ),
    hls_mp3_128_url: z
      .url()
      .optional()
      .meta(
        about(
          "HLS, MP3 at 128 kbit/s, for players without AAC.",
          "https://api.soundpost.example/media/eyJh.c2ln/audio.m3u8",
        ),
      ),
    http_mp3_128_url: z
      .url()
      .optional()
      .meta(about("One MP3 file at 128 kbit/s.", "https://api.soundpost.example/media/eyJh.c2ln/audio.mp3")),
    preview_mp3_128_url: z
      .url()
      .optional()
      .meta(
        about("The first 30 seconds as MP3.", "https://api.soundpost.example/media/eyJh.c2ln/preview.mp3"),
      ),
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
