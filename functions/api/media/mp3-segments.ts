import type { Media } from "../../../db/queries/media.ts";
import type { ExactRange } from "../../lib/http/files/range.ts";

/** Samples in an MP3 packet. */
const PACKET = 1152;

/** 128 kbps, constant. */
const BYTES_A_SECOND = 16_000;

/**
 * Packets per segment: 6.4 s at 44.1 kHz. There 49 packets of 417 and 418 bytes always make 20,480 bytes. All
 * segments are thus equally long, so no table of offsets is needed. The transcoder checks its encoder for
 * that.
 */
const PACKETS_A_SEGMENT = 5 * 49;

const OWNER = "com.apple.streaming.transportStreamTimestamp\0";

/** Ticks per second of an MPEG-2 timestamp. Its 33 bits hold a day. */
const CLOCK_HZ = 90_000;

/** Bytes of the Info frame at the start, which holds no audio: a packet without padding. */
const infoBytes = (rate: number): number => Math.floor((PACKET * BYTES_A_SECOND) / rate);

const segmentBytes = (rate: number): number => (PACKETS_A_SEGMENT * PACKET * BYTES_A_SECOND) / rate;

/** Seconds of each segment. Their sum includes the encoder's delay and padding. */
export function mp3Durations({ sample_rate, renditions }: Media): number[] {
  const audioBytes = renditions.mp3_128.bytes - infoBytes(sample_rate);
  const packets = Math.round((audioBytes * sample_rate) / (PACKET * BYTES_A_SECOND));
  return Array.from({ length: Math.ceil(packets / PACKETS_A_SEGMENT) }, (_, n) => {
    const own = Math.min(PACKETS_A_SEGMENT, packets - n * PACKETS_A_SEGMENT);
    return (own * PACKET) / sample_rate;
  });
}

/** Returns the segment's bytes in the MP3, or `undefined` past the end. */
export function mp3SegmentRange({ sample_rate, renditions }: Media, n: number): ExactRange | undefined {
  const start = infoBytes(sample_rate) + n * segmentBytes(sample_rate);
  const end = Math.min(start + segmentBytes(sample_rate), renditions.mp3_128.bytes) - 1;
  return start <= end ? { start, end } : undefined;
}

/** Makes the ID3 tag with a segment's start, which MP3 itself does not carry. RFC 8216 §3.4, ID3v2.4 §4.27 */
export function timestampTag({ sample_rate }: Media, n: number): Uint8Array {
  const tag = new Uint8Array(20 + OWNER.length + 8);
  const text = (letters: string, at: number) => tag.set(new TextEncoder().encode(letters), at);
  text("ID3\x04", 0);
  // The size excludes the header's ten bytes. Below 128 it fits in seven bits.
  tag[9] = tag.length - 10;
  text("PRIV", 10);
  tag[17] = tag.length - 20;
  text(OWNER, 20);
  const ticks = (n * PACKETS_A_SEGMENT * PACKET * CLOCK_HZ) / sample_rate;
  new DataView(tag.buffer).setBigUint64(tag.length - 8, BigInt(ticks));
  return tag;
}
