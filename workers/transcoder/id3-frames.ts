/** A frame of a tag. `within` reads the frames inside its body. */
interface Frame {
  id: string;
  body: Buffer;
  within(from: number): Frame[];
}

const HEADER_BYTES = 10;

/** Frames of a tag, or of a frame. Real ones have some per chapter; a hostile tag could have millions, empty. */
const MAX_FRAMES = 4_000;

/** Flags of a tag. */
const UNSYNCHRONISED = 0x80;
const EXTENDED = 0x40;

/** Flags of a frame of version 4. */
const OWN_UNSYNCHRONISED = 0x02;
const HAS_LENGTH = 0x01;

/** Flags of frames that are compressed, encrypted or grouped. Hardly any program writes them. */
const FOREIGN_FLAGS = { 3: 0xe0, 4: 0x4c };

type Version = keyof typeof FOREIGN_FLAGS;

/** Reads a tag of ID3v2.3 or 2.4 from its header on. Others have no frames here. */
export function framesOf(tag: Buffer): Frame[] {
  const [version, , flags = 0] = tag.subarray(3, 6);
  if (version !== 3 && version !== 4) return [];
  const isUnsynchronised = (flags & UNSYNCHRONISED) !== 0;
  const whole = tag.subarray(HEADER_BYTES);
  // Version 3 inserts zeros into the tag as a whole, version 4 into each frame.
  const read = isUnsynchronised && version === 3 ? synchronised(whole) : whole;
  const extended = flags & EXTENDED && read.length >= 4 ? extendedBytes(read, version) : 0;
  return framesIn(read.subarray(extended), version, isUnsynchronised && version === 4);
}

const extendedBytes = (tag: Buffer, version: Version): number =>
  version === 3 ? 4 + tag.readUInt32BE(0) : sevenBits(tag, 0);

function framesIn(bytes: Buffer, version: Version, isUnsynchronised: boolean): Frame[] {
  const frames: Frame[] = [];
  for (let [at, count] = [0, 0]; count < MAX_FRAMES && isFrame(bytes, at); count++) {
    const start = at + HEADER_BYTES;
    const end = start + sizeAt(bytes, at, version);
    if (end > bytes.length) break;
    const id = bytes.toString("latin1", at, at + 4);
    const flags = bytes.readUInt8(at + 9);
    at = end;
    if (flags & FOREIGN_FLAGS[version]) continue;
    const isOwn = version === 4 && (flags & OWN_UNSYNCHRONISED) !== 0;
    const stored = bytes.subarray(version === 4 && flags & HAS_LENGTH ? start + 4 : start, end);
    const body = isUnsynchronised || isOwn ? synchronised(stored) : stored;
    frames.push({ id, body, within: (from) => framesIn(body.subarray(from), version, false) });
  }
  return frames;
}

const isFrame = (bytes: Buffer, at: number): boolean =>
  at + HEADER_BYTES < bytes.length && /^[A-Z0-9]{4}$/.test(bytes.toString("latin1", at, at + 4));

/** Version 4 has four times seven bits. Some programs write eight, and the next frame shows which. */
function sizeAt(bytes: Buffer, at: number, version: Version): number {
  const plain = bytes.readUInt32BE(at + 4);
  const size = sevenBits(bytes, at + 4);
  const next = at + HEADER_BYTES + size;
  const isRight = next === bytes.length || bytes[next] === 0 || isFrame(bytes, next);
  return version === 4 && (isRight || at + HEADER_BYTES + plain > bytes.length) ? size : plain;
}

const sevenBits = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => (sum << 7) | (byte & 127), 0);

/** Takes away the zero that follows each 0xff. */
function synchronised(bytes: Buffer): Buffer {
  const read = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] !== 0 || bytes[at - 1] !== 0xff) read[length++] = bytes[at] ?? 0;
  return read.subarray(0, length);
}

/** Names of the encodings that a frame's first byte counts. */
const ENCODINGS = ["latin1", "utf-16le", "utf-16be", "utf-8"];

/** A mark of the order of bytes, other than `utf-16le` has. */
const isBigEndian = (text: Buffer): boolean => text[0] === 0xfe && text[1] === 0xff;

/** Reads a frame of text, up to its first zero. */
export function textIn(body: Buffer): string {
  const text = body.subarray(1);
  const encoding = ENCODINGS[body[0] ?? 0] ?? "latin1";
  const name = encoding === "utf-16le" && isBigEndian(text) ? "utf-16be" : encoding;
  return new TextDecoder(name).decode(text).split("\0")[0] ?? "";
}

/** Reads a frame of a picture: an encoding, a MIME type, a byte of use, a description, the image. */
export function imageIn(body: Buffer): Buffer | undefined {
  const description = body.indexOf(0, 1) + 2;
  if (description < 2) return undefined;
  const width = body[0] === 1 || body[0] === 2 ? 2 : 1;
  for (let at = description; at + width <= body.length; at += width)
    if (body[at] === 0 && body[at + width - 1] === 0) return body.subarray(at + width);
  return undefined;
}
