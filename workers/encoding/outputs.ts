import { AAC_KBITS, PACKETS_A_SEGMENT, segmentCount } from "../../functions/api/media/playlists.ts";

/** A file that an encode may write. `index` counts segments and MP3 parts, and is 0 for single files. */
interface Output {
  kind: keyof typeof KINDS;
  index: number;
  contentType: string;
  maxBytes: number;
}

/** Bytes: packets of the largest stereo AAC-LC (ISO 14496-3: 6,144 bits per channel), and boxes. */
const MAX_SEGMENT_BYTES = PACKETS_A_SEGMENT * 1536 + 8 * 1024;

/** Bytes. The transcoder cuts the MP3 into parts of this length. */
const MP3_PART_BYTES = 8 * 1024 * 1024;

const KINDS = {
  init: { contentType: "video/mp4", maxBytes: 4 * 1024 },
  segment: { contentType: "video/iso.segment", maxBytes: MAX_SEGMENT_BYTES },
  mp3: { contentType: "audio/mpeg", maxBytes: MP3_PART_BYTES },
  preview: { contentType: "audio/mpeg", maxBytes: 512 * 1024 },
  picture: { contentType: "image/png", maxBytes: 1024 * 1024 },
  samples: { contentType: "application/json", maxBytes: 64 * 1024 },
};

const HLS = `^hls/(?:${AAC_KBITS.join("|")})/`;

const NAMES: [RegExp, Output["kind"]][] = [
  [new RegExp(`${HLS}init\\.mp4$`), "init"],
  [new RegExp(`${HLS}([0-9]{1,6})\\.m4s$`), "segment"],
  [/^mp3\/([0-9]{1,5})\.mp3$/, "mp3"],
  [/^preview\.mp3$/, "preview"],
  [/^waveform\.png$/, "picture"],
  [/^waveform\.json$/, "samples"],
];

/** Returns `undefined` for names that no encode writes. Nothing else enters the bucket. */
export function findOutput(name: string): Output | undefined {
  for (const [pattern, kind] of NAMES) {
    const [match, index = "0"] = pattern.exec(name) ?? [];
    if (match !== undefined) return { kind, index: Number(index), ...KINDS[kind] };
  }
  return undefined;
}

/** Seconds: 24 hours and a minute of decoder padding. */
const MAX_S = 24 * 3600 + 60;

const MAX_RATE_HZ = 48_000;

/** Samples and segments of the longest track. */
export const MAX_FRAMES = MAX_S * MAX_RATE_HZ;
export const MAX_SEGMENTS = segmentCount(MAX_FRAMES);

/** Upper bound on seconds of audio per byte. Lossless silence at 8 kHz needs half of it. */
const MAX_S_A_BYTE = 1;
const SLACK_S = 60;

const MP3_BYTES_A_SECOND = 16_000;

/** Tells whether a source of this size can yield this output, so that the holder of a ticket cannot fill the bucket. */
export function isWithinSource({ kind, index }: Output, sourceBytes: number): boolean {
  const seconds = Math.min(MAX_S, SLACK_S + sourceBytes * MAX_S_A_BYTE);
  if (kind === "segment") return index < segmentCount(seconds * MAX_RATE_HZ);
  if (kind === "mp3") return index < Math.ceil((seconds * MP3_BYTES_A_SECOND) / MP3_PART_BYTES);
  return true;
}
