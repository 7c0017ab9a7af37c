import type { Media } from "../../db/queries/media.ts";
import { mp3Durations } from "./mp3-segments.ts";

/** Samples in an AAC packet. */
const PACKET = 1024;

/** Packets per segment: 5.99 s at 44.1 kHz. The transcoder uses the same number. */
const PACKETS_A_SEGMENT = 258;

/** Packet g holds samples [(g−1)·1024, g·1024). The first packet is priming, which the edit list hides. */
function segmentSamples(frames: number, segment: number): number {
  const edge = (n: number) => Math.min(Math.max(n * PACKETS_A_SEGMENT * PACKET - PACKET, 0), frames);
  return edge(segment + 1) - edge(segment);
}

export function segmentCount(frames: number): number {
  const packets = Math.ceil(frames / PACKET) + 1;
  return Math.ceil(packets / PACKETS_A_SEGMENT);
}

export function masterPlaylist({ renditions }: Media): string {
  const variants = [
    { path: "160", ...renditions.aac_160 },
    { path: "96", ...renditions.aac_96 },
  ];
  return lines([
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...variants.flatMap(({ path, bandwidth, average_bandwidth, codecs }) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${average_bandwidth},CODECS="${codecs}"`,
      `${path}/playlist.m3u8`,
    ]),
  ]);
}

/** Depends only on the decoded length, so only segments are stored. Durations sum to exactly the source's. */
export function mediaPlaylist({ frames, sample_rate }: Pick<Media, "frames" | "sample_rate">): string {
  const durations = Array.from(
    { length: segmentCount(frames) },
    (_, n) => segmentSamples(frames, n) / sample_rate,
  );
  return wholePlaylist(
    7,
    ["#EXT-X-INDEPENDENT-SEGMENTS", '#EXT-X-MAP:URI="init.mp4"'],
    durations.map((seconds, n) => ({ seconds, uri: `${n}.m4s` })),
  );
}

/**
 * Not marked independent: an MP3 packet may use bits of earlier ones, so the first after a seek is silent.
 */
export const mp3Playlist = (media: Media): string =>
  wholePlaylist(
    3,
    [],
    mp3Durations(media).map((seconds, n) => ({ seconds, uri: `audio/${n}.mp3` })),
  );

function wholePlaylist(
  version: number,
  tags: string[],
  segments: { seconds: number; uri: string }[],
): string {
  return lines([
    "#EXTM3U",
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...segments.map(({ seconds }) => seconds)))}`,
    "#EXT-X-MEDIA-SEQUENCE:0",
    "#EXT-X-PLAYLIST-TYPE:VOD",
    ...tags,
    ...segments.flatMap(({ seconds, uri }) => [`#EXTINF:${seconds.toFixed(8)},`, uri]),
    "#EXT-X-ENDLIST",
  ]);
}

const lines = (all: string[]) => `${all.join("\n")}\n`;
