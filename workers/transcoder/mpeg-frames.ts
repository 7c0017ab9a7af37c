/** Reads MPEG audio and ADTS frame headers. ISO 11172-3, 13818-3, 13818-7 */

/** MPEG-1 by layer. */
const BITRATES_KBPS = {
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
};
/** MPEG-2 and 2.5, layers II and III. */
const LOW_BITRATES_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

const RATES_HZ = [44_100, 48_000, 32_000];

interface FrameHeader {
  kind: "mp2" | "mp3" | "adts";
  bytes: number;
  /** Bits that stay constant within a stream. Unrelated bytes that resemble a header rarely agree on them. */
  fixed: number;
}

/** Returns the frame at `offset`, if any. Layer I and free format are unsupported. */
export function readFrameHeader(data: Uint8Array, offset: number): FrameHeader | undefined {
  const byteAt = (place: number) => data[offset + place] ?? 0;
  const [b1, b2] = [byteAt(1), byteAt(2)];
  if (byteAt(0) !== 0xff || (b1 & 0xe0) !== 0xe0) return;
  const layerBits = (b1 >> 1) & 3;
  if (layerBits === 0) return readAdtsHeader(b1, b2, byteAt(3), byteAt(4), byteAt(5));

  const versionBits = (b1 >> 3) & 3;
  const layer = layerBits === 1 ? 3 : 2;
  const rate = RATES_HZ[(b2 >> 2) & 3];
  if (versionBits === 1 || layerBits === 3 || rate === undefined) return;
  const kbps = (versionBits === 3 ? BITRATES_KBPS[layer] : LOW_BITRATES_KBPS)[b2 >> 4];
  if (!kbps) return;
  const rateHz = rate / { 3: 1, 2: 2, 0: 4 }[versionBits as 0 | 2 | 3];
  const framesPerPacket = layer === 3 && versionBits !== 3 ? 576 : 1152;
  const padding = (b2 >> 1) & 1;
  return {
    kind: layer === 3 ? "mp3" : "mp2",
    bytes: Math.floor(((framesPerPacket / 8) * kbps * 1000) / rateHz) + padding,
    fixed: (b1 & 0xfe) | ((b2 & 0x0c) << 8),
  };
}

function readAdtsHeader(b1: number, b2: number, b3: number, b4: number, b5: number): FrameHeader | undefined {
  const rateIndex = (b2 >> 2) & 15;
  const bytes = ((b3 & 3) << 11) | (b4 << 3) | (b5 >> 5);
  if ((b1 & 0xf0) !== 0xf0 || rateIndex > 12 || bytes < 8) return;
  return { kind: "adts", bytes, fixed: b1 | (b2 << 8) };
}

/** ID3v1 and APEv2, which end a file. */
const TAGS_AT_END = ["TAG", "APETAGEX"];

const isTagAt = (data: Uint8Array, offset: number): boolean =>
  TAGS_AT_END.some(
    (tag) => Buffer.from(data.subarray(offset, offset + tag.length)).toString("latin1") === tag,
  );

/** Consecutive frames that must agree. Chance of four in 64 KiB of noise: about 2⁻⁴⁶. */
const RUN = 4;

interface Frames {
  kind: FrameHeader["kind"];
  /** Offset of the first frame. */
  start: number;
}

/** Returns the first run of frames. A file shorter than a run needs fewer. */
export function findFrames(data: Uint8Array, atEndOfFile: boolean): Frames | undefined {
  for (let start = data.indexOf(0xff); start >= 0; start = data.indexOf(0xff, start + 1)) {
    const first = readFrameHeader(data, start);
    if (first && isRun(data, start, first, atEndOfFile)) return { kind: first.kind, start };
  }
}

function isRun(data: Uint8Array, start: number, first: FrameHeader, atEndOfFile: boolean): boolean {
  let offset = start;
  for (let agreed = 0; agreed < RUN; agreed++) {
    const frame = readFrameHeader(data, offset);
    if (!frame)
      return atEndOfFile && start === 0 && agreed > 0 && (offset === data.length || isTagAt(data, offset));
    if (frame.kind !== first.kind || frame.fixed !== first.fixed) return false;
    offset += frame.bytes;
  }
  return true;
}

/** Bytes. Free format allows any bit rate; encoders write up to 640 kbit/s. */
const LONGEST_FREE_FRAME = 6_000;

/** Headers looked at, and those that a run may begin with. Frames of free format begin a file, or follow its tags. */
const MAX_HEADS = 200;
const MAX_TRIES = 16;

/** Whether frames without a bit rate follow each other at one distance, or a byte of padding more. No decoder of ours takes them. */
export function isFreeFormat(data: Uint8Array): boolean {
  const first = freeHeads(data);
  return first.slice(0, MAX_TRIES).some((start) =>
    first
      .filter((next) => next > start && next - start <= LONGEST_FREE_FRAME)
      .slice(0, MAX_TRIES)
      .some((next) => isFreeRun(first, start, next - start)),
  );
}

function isFreeRun(heads: number[], start: number, bytes: number): boolean {
  let at = start;
  for (let agreed = 1; agreed < RUN; agreed++) {
    const next = [bytes, bytes - 1, bytes + 1]
      .map((distance) => at + distance)
      .find((place) => heads.includes(place));
    if (next === undefined) return false;
    at = next;
  }
  return true;
}

/** Offsets of headers of layer III without a bit rate. */
function freeHeads(data: Uint8Array): number[] {
  const heads: number[] = [];
  for (let at = data.indexOf(0xff); at >= 0 && heads.length < MAX_HEADS; at = data.indexOf(0xff, at + 1)) {
    const [b1 = 0, b2 = 0xff] = data.subarray(at + 1, at + 3);
    if ((b1 & 0xe6) === 0xe2 && b2 >> 4 === 0 && (b2 & 0x0c) !== 0x0c) heads.push(at);
  }
  return heads;
}
