import { FRAMES_PER_PACKET } from "./geometry.ts";

/** Writes fragmented MP4 for one stereo AAC-LC track, as HLS needs it. ISO 14496-12 and 14496-14. */

const u8 = (...values: number[]): Buffer => Buffer.from(values);

function u16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => {
    buffer.writeUInt16BE(value, i * 2);
  });
  return buffer;
}

function u32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    buffer.writeUInt32BE(value, i * 4);
  });
  return buffer;
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, "latin1"), body]);
}

const fullBox = (type: string, version: number, flags: number, ...content: Buffer[]): Buffer =>
  box(type, u32(((version << 24) | flags) >>> 0), ...content);

const TRACK = 1;
const UNITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Sample rates by their index in an AudioSpecificConfig. ISO 14496-3 table 1.18 */
const RATE_INDEX = { 48000: 3, 44100: 4 };

export type OutputRate = keyof typeof RATE_INDEX;

export const CODECS = "mp4a.40.2";

/** Object type 2 (AAC-LC), rate index, two channels: five, four and four bits, then zeros. */
const audioSpecificConfig = (rate: OutputRate): Buffer => u16((2 << 11) | (RATE_INDEX[rate] << 7) | (2 << 3));

function esds(rate: OutputRate, bitrate: number): Buffer {
  const descriptor = (tag: number, ...content: Buffer[]) => {
    const body = Buffer.concat(content);
    return Buffer.concat([u8(tag, body.length), body]);
  };
  const decoderConfig = descriptor(
    4,
    // MPEG-4 audio, audio stream, no buffer size.
    u8(0x40, 0x15, 0, 0, 0),
    u32(bitrate, bitrate),
    descriptor(5, audioSpecificConfig(rate)),
  );
  return fullBox("esds", 0, 0, descriptor(3, u16(TRACK), u8(0), decoderConfig, descriptor(6, u8(2))));
}

export function initSegment(rate: OutputRate, bitrate: number): Buffer {
  const sampleEntry = box(
    "mp4a",
    u8(0, 0, 0, 0, 0, 0),
    u16(1),
    u32(0, 0),
    u16(2, 16, 0, 0),
    u32(rate * 0x10000),
    esds(rate, bitrate),
  );
  const table = box(
    "stbl",
    fullBox("stsd", 0, 0, u32(1), sampleEntry),
    fullBox("stts", 0, 0, u32(0)),
    fullBox("stsc", 0, 0, u32(0)),
    fullBox("stsz", 0, 0, u32(0, 0)),
    fullBox("stco", 0, 0, u32(0)),
  );
  const media = box(
    "mdia",
    fullBox("mdhd", 0, 0, u32(0, 0, rate, 0), u16(0x55c4, 0)),
    fullBox("hdlr", 0, 0, u32(0), Buffer.from("soun"), u32(0, 0, 0), Buffer.from("Soundpost\0")),
    box(
      "minf",
      fullBox("smhd", 0, 0, u32(0)),
      box("dinf", fullBox("dref", 0, 0, u32(1), fullBox("url ", 0, 1))),
      table,
    ),
  );
  // Skips the priming packet. Without this edit, playback starts with 1024 frames of silence.
  const edits = box("edts", fullBox("elst", 0, 0, u32(1, 0, FRAMES_PER_PACKET), u16(1, 0)));
  const track = box(
    "trak",
    fullBox("tkhd", 0, 3, u32(0, 0, TRACK, 0, 0, 0, 0), u16(0, 1, 0x100, 0), UNITY_MATRIX, u32(0, 0)),
    edits,
    media,
  );
  return Buffer.concat([
    box("ftyp", Buffer.from("iso6"), u32(0), Buffer.from("iso6cmfcmp41")),
    box(
      "moov",
      fullBox(
        "mvhd",
        0,
        0,
        u32(0, 0, rate, 0, 0x10000),
        u16(0x100, 0),
        u32(0, 0),
        UNITY_MATRIX,
        Buffer.alloc(24),
        u32(TRACK + 1),
      ),
      track,
      box("mvex", fullBox("trex", 0, 0, u32(TRACK, 1, FRAMES_PER_PACKET, 0, 0))),
    ),
  ]);
}

const DEFAULT_BASE_IS_MOOF = 0x020000;
const HAS_DATA_OFFSET = 0x1;
const HAS_DURATIONS = 0x100;
const HAS_SIZES = 0x200;

/** `lastFrames`: frames presented of the last packet. Less than a packet only at the end of the track. */
export function mediaSegment(
  index: number,
  firstPacket: number,
  packets: Buffer[],
  lastFrames: number,
): Buffer {
  const isWhole = lastFrames === FRAMES_PER_PACKET;
  const entries = packets.flatMap((packet, i) => {
    if (isWhole) return [packet.length];
    return [i === packets.length - 1 ? lastFrames : FRAMES_PER_PACKET, packet.length];
  });
  const decodeTime = Buffer.alloc(8);
  decodeTime.writeBigUInt64BE(BigInt(firstPacket) * BigInt(FRAMES_PER_PACKET));
  const fragment = (dataOffset: number) =>
    box(
      "moof",
      fullBox("mfhd", 0, 0, u32(index + 1)),
      box(
        "traf",
        fullBox("tfhd", 0, DEFAULT_BASE_IS_MOOF, u32(TRACK)),
        fullBox("tfdt", 1, 0, decodeTime),
        fullBox(
          "trun",
          0,
          HAS_DATA_OFFSET | HAS_SIZES | (isWhole ? 0 : HAS_DURATIONS),
          u32(packets.length, dataOffset, ...entries),
        ),
      ),
    );
  // The offset counts from the start of the moof, whose size does not depend on it.
  return Buffer.concat([fragment(fragment(0).length + 8), box("mdat", ...packets)]);
}
