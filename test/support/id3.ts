/** A chapter of an ID3 tag. Times are milliseconds; `apic` is the body of its picture's frame. */
export interface TaggedChapter {
  start: number;
  end: number;
  title: string;
  apic?: Buffer;
}

interface Form {
  version: 3 | 4;
  /** Inserts a zero after each 0xff, as old writers do. */
  isUnsynchronised: boolean;
}

const PLAIN: Form = { version: 4, isUnsynchronised: false };

/** The body of a picture's frame: id3.org/id3v2.4.0-frames §4.14 */
export const apic = (image: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from("\0image/png\0\0Cover\0", "latin1"), image]);

/** A tag of chapters: id3.org/id3v2-chapters-1.0 */
export function id3Tag(chapters: TaggedChapter[], form = PLAIN): Buffer {
  const { version, isUnsynchronised } = form;
  const frames = Buffer.concat(chapters.map((chapter, at) => chapterFrame(chapter, at, form)));
  const body = isUnsynchronised && version === 3 ? unsynchronised(frames) : frames;
  const head = Buffer.from([0x49, 0x44, 0x33, version, 0, isUnsynchronised ? 0x80 : 0]);
  return Buffer.concat([head, sevenBits(body.length), body]);
}

function chapterFrame({ start, end, title, apic: picture }: TaggedChapter, at: number, form: Form): Buffer {
  const plain = { ...form, isUnsynchronised: false };
  const times = Buffer.alloc(16, 0xff);
  times.writeUInt32BE(start, 0);
  times.writeUInt32BE(end, 4);
  return frame("CHAP", form, [
    Buffer.from(`ch${at}\0`),
    times,
    frame("TIT2", plain, [Buffer.from(`\x03${title}`)]),
    ...(picture ? [frame("APIC", plain, [picture])] : []),
  ]);
}

function frame(id: string, { version, isUnsynchronised }: Form, parts: Buffer[]): Buffer {
  const whole = Buffer.concat(parts);
  const inserts = isUnsynchronised && version === 4;
  const body = inserts ? unsynchronised(whole) : whole;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  const flags = Buffer.from([0, inserts ? 0x02 : 0]);
  return Buffer.concat([Buffer.from(id), version === 4 ? sevenBits(body.length) : size, flags, body]);
}

const sevenBits = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 127));

const unsynchronised = (bytes: Buffer): Buffer =>
  Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
