import type { Media } from "../../../db/queries/media.ts";
import type { GrowingMedia } from "../../../db/queries/track-rows.ts";
import { mp3Durations } from "./mp3-segments.ts";

/** Samples in an AAC packet. */
const PACKET = 1024;

/** Bitrates of the AAC renditions in kbit/s, best first. They are part of paths in storage and URLs. */
export const AAC_KBITS = ["160", "96"] as const;
export type AacKbits = (typeof AAC_KBITS)[number];

/** Packets per segment: 5.99 s at 44.1 kHz. The transcoder uses the same numbers. */
export const PACKETS_A_SEGMENT = 258;

/** The first segments are short, 2 s, so that a player starts early. Together they make one. */
const SHORT_SEGMENTS = 3;
const PACKETS_A_SHORT_SEGMENT = PACKETS_A_SEGMENT / SHORT_SEGMENTS;

/** Seconds: the longest segment. Constant, because a playlist that clients reload must not change it. */
const TARGET_S = 6;

/** First packet of a segment. */
const segmentStart = (segment: number): number =>
  segment < SHORT_SEGMENTS
    ? segment * PACKETS_A_SHORT_SEGMENT
    : (segment - SHORT_SEGMENTS + 1) * PACKETS_A_SEGMENT;

/** Packet g holds samples [(g−1)·1024, g·1024). The first packet is priming, which the edit list hides. */
function segmentSamples(segment: number, frames: number): number {
  const edge = (n: number) => Math.min(Math.max((segmentStart(n) - 1) * PACKET, 0), frames);
  return edge(segment + 1) - edge(segment);
}

export function segmentCount(frames: number): number {
  const packets = Math.ceil(frames / PACKET) + 1;
  return packets > PACKETS_A_SEGMENT
    ? Math.ceil(packets / PACKETS_A_SEGMENT) - 1 + SHORT_SEGMENTS
    : Math.ceil(packets / PACKETS_A_SHORT_SEGMENT);
}

interface Variant {
  bandwidth: number;
  average_bandwidth: number;
  codecs: string;
}

/**
 * Bits per second while the segments are unknown. Packets vary around the encoder's bitrate, and boxes add 2 %;
 * BANDWIDTH must not be exceeded.
 */
const nominal = (bitrate: number): Variant => ({
  bandwidth: Math.ceil(bitrate * 1.25),
  average_bandwidth: Math.ceil(bitrate * 1.05),
  codecs: "mp4a.40.2",
});

/** Added to URLs in the playlist of a preloaded stream. */
export const AHEAD = "?ahead=true";

/** Without `media`, the track is being encoded. */
export function masterPlaylist(media: Pick<Media, "renditions"> | null, ahead = false): string {
  const variants = AAC_KBITS.map((path) => ({
    path,
    ...(media?.renditions[`aac_${path}`] ?? nominal(Number(path) * 1_000)),
  }));
  return lines([
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...variants.flatMap(({ path, bandwidth, average_bandwidth, codecs }) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${average_bandwidth},CODECS="${codecs}"`,
      `${path}/playlist.m3u8${ahead ? AHEAD : ""}`,
    ]),
  ]);
}

/** Depends only on the decoded length, so only segments are stored. Durations sum to exactly the source's. */
export const mediaPlaylist = ({ frames, sample_rate }: Pick<Media, "frames" | "sample_rate">): string =>
  playlistOf(
    { version: 7, type: "VOD", targetS: TARGET_S, tags: AAC_TAGS },
    aacSegments(segmentCount(frames), frames, sample_rate),
  );

/** Playlist of a running encode. Each reply, like the finished playlist, only appends lines to the previous one. */
export const growingPlaylist = ({ sample_rate, segments_ready }: GrowingMedia): string =>
  playlistOf(
    { version: 7, type: "EVENT", targetS: TARGET_S, tags: AAC_TAGS },
    aacSegments(segments_ready, Number.POSITIVE_INFINITY, sample_rate),
  );

/** Players would begin a growing playlist near its end. */
const AAC_TAGS = [
  "#EXT-X-START:TIME-OFFSET=0,PRECISE=YES",
  "#EXT-X-INDEPENDENT-SEGMENTS",
  '#EXT-X-MAP:URI="init.mp4"',
];

const aacSegments = (count: number, frames: number, rate: number): Segment[] =>
  Array.from({ length: count }, (_, n) => ({
    seconds: segmentSamples(n, frames) / rate,
    uri: `${n}.m4s`,
  }));

/**
 * Not marked independent: an MP3 packet may use bits of earlier ones, so the first after a seek is silent.
 */
export function mp3Playlist(media: Media): string {
  const segments = mp3Durations(media).map((seconds, n) => ({ seconds, uri: `audio/${n}.mp3` }));
  const targetS = Math.ceil(Math.max(...segments.map(({ seconds }) => seconds)));
  return playlistOf({ version: 3, type: "VOD", targetS, tags: [] }, segments);
}

interface Segment {
  seconds: number;
  uri: string;
}

interface Head {
  version: number;
  /** VOD is complete, EVENT grows. */
  type: "VOD" | "EVENT";
  targetS: number;
  tags: string[];
}

const playlistOf = ({ version, type, targetS, tags }: Head, segments: Segment[]): string =>
  lines([
    "#EXTM3U",
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${targetS}`,
    "#EXT-X-MEDIA-SEQUENCE:0",
    `#EXT-X-PLAYLIST-TYPE:${type}`,
    ...tags,
    ...segments.flatMap(({ seconds, uri }) => [`#EXTINF:${seconds.toFixed(8)},`, uri]),
    ...(type === "VOD" ? ["#EXT-X-ENDLIST"] : []),
  ]);

const lines = (all: string[]) => `${all.join("\n")}\n`;
