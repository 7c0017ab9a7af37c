import { decode } from "./upload-encodings.ts";

/**
 * Writes an ID3 tag as version 2.4 has it, with what `music-metadata` misreads put right: sizes of the other version, an artist
 * called AC/DC, and words in other encodings than declared. Its report stands in ../music-metadata.md.
 */

/** Not shared with workers, so that files may be made of them. */
type Bytes = Uint8Array<ArrayBuffer>;

interface Frame {
  id: string;
  flags: Bytes;
  content: Bytes;
}

const HEADER_BYTES = 10;
const MAX_TAG_BYTES = 32 * 2 ** 20;

/** Flags of a tag. By the first, a 0 follows each byte 0xff. The others are an extended header, an experiment and a footer. */
const UNSYNCHRONISED = 0x80;
const OTHER_FLAGS = 0x70;

const FRAME_ID = /^[A-Z][A-Z0-9]{3}$/;

/** Returns the file with its tag put right, or as it is: without a tag, or with one of a kind that needs no repair. */
export async function withPlainId3(file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const [i = 0, d = 0, three = 0, version, , flags = 0] = head;
  const isTag = ascii([i, d, three]) === "ID3" && (version === 3 || version === 4) && !(flags & OTHER_FLAGS);
  const end = HEADER_BYTES + synchsafe(new DataView(head.buffer), 6);
  if (!isTag || !(end <= Math.min(file.size, MAX_TAG_BYTES))) return file;
  const stored = new Uint8Array(await file.slice(HEADER_BYTES, end).arrayBuffer());
  // Version 4 marks each frame by itself.
  const body = version === 3 && flags & UNSYNCHRONISED ? synchronised(stored) : stored;
  const frames =
    version === 3
      ? (framesIn(body, plain) ?? framesIn(body, synchsafe))
      : (framesIn(body, synchsafe) ?? framesIn(body, plain));
  if (!frames) return file;
  const written = frames.flatMap((frame) => asVersion4(frame, version));
  return new File([tagHead(written), ...written, file.slice(end)], file instanceof File ? file.name : "", {
    type: file.type,
  });
}

const synchronised = (bytes: Bytes) => bytes.filter((byte, at) => byte !== 0 || bytes[at - 1] !== 0xff);
const ascii = (bytes: Iterable<number>) => String.fromCharCode(...bytes);
const plain = (view: DataView, at: number) => view.getUint32(at);

/** Seven bits a byte. NaN where a byte has eight. id3.org/id3v2.4.0-structure §6.2 */
function synchsafe(view: DataView, at: number): number {
  const bytes = [0, 1, 2, 3].map((n) => view.getUint8(at + n));
  return bytes.some((byte) => byte > 127) ? Number.NaN : bytes.reduce((sum, byte) => sum * 128 + byte, 0);
}

/** Returns undefined unless frames fill the tag up to its padding, as they do with sizes that are read as they were written. */
function framesIn(body: Bytes, sizeAt: typeof plain): Frame[] | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const frames: Frame[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= body.length && body[at] !== 0) {
    const id = ascii(body.subarray(at, at + 4));
    const to = at + HEADER_BYTES + sizeAt(view, at + 4);
    if (!FRAME_ID.test(id) || !(to <= body.length)) return undefined;
    frames.push({ id, flags: body.subarray(at + 8, at + 10), content: body.subarray(at + HEADER_BYTES, to) });
    at = to;
  }
  return body.subarray(at).every((byte) => byte === 0) ? frames : undefined;
}

/** A compressed or encrypted frame of version 3 is left out. */
function asVersion4({ id, flags, content }: Frame, version: number): Bytes[] {
  if (version === 3 && flags[1] !== 0) return [];
  const isPlain = flags[1] === 0;
  const text = isPlain && id.startsWith("T") && content[0] === 0 ? inUtf8(content) : content;
  const head = new Uint8Array(HEADER_BYTES);
  head.set([...id].map((letter) => letter.charCodeAt(0)));
  head.set(sevenBits(text.length), 4);
  if (!isPlain) head.set(flags, 8);
  return [head, text];
}

/** The encoding's number stands ahead of the words: 0 is ISO 8859-1, 3 is UTF-8. */
const inUtf8 = (content: Bytes) => Uint8Array.of(3, ...new TextEncoder().encode(decode(content.subarray(1))));

const sevenBits = (value: number) => [21, 14, 7, 0].map((shift) => (value >> shift) & 127);

function tagHead(written: Bytes[]): Bytes {
  const bytes = written.reduce((sum, { length }) => sum + length, 0);
  return Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, ...sevenBits(bytes));
}
