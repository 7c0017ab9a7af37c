import { APE_BYTES, apeBodyBytes, ID3V1_BYTES } from "./end-tags.ts";
import { readFrameHeader } from "./mpeg-frames.ts";
import { id3Bytes } from "./sniff.ts";

/** Bytes. A file is read once more, in order. Each read costs a request and a statement. */
const WINDOW_BYTES = 16 * 1024 * 1024;

/** The longest head that tells a piece's length. */
const HEAD_BYTES = APE_BYTES;

/** Bytes. Tags whose end tells their length are looked for so far. */
const END_WITHIN_BYTES = 256 * 1024;

const PADDING = [...Buffer.from("\0\r\n ")];

/** Tags and runs of padding. Files that people join have a few, and hostile ones could have millions. */
const MAX_GAPS = 10_000;

/**
 * Tells whether an MPEG stream holds more than frames, tags and padding. Joined files have tags in their middle,
 * about which ffmpeg prints the same warning as about a damaged header.
 */
export async function isDamaged(
  readAt: (offset: number, length: number) => Promise<Buffer>,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  let window = { from, bytes: Buffer.alloc(0) };
  let gaps = 0;
  async function bytesFrom(at: number, least: number): Promise<Buffer> {
    const end = window.from + window.bytes.length;
    if (at + least > end && end < to)
      window = { from: at, bytes: await readAt(at, Math.min(WINDOW_BYTES, to - at)) };
    return window.bytes.subarray(at - window.from);
  }
  for (let at = from; at < to; ) {
    const frame = readFrameHeader(await bytesFrom(at, HEAD_BYTES), 0);
    const isFrame = frame !== undefined && frame.kind !== "adts";
    const bytes = isFrame ? frame.bytes : gapBytes(await bytesFrom(at, END_WITHIN_BYTES));
    if (!isFrame) gaps++;
    if (bytes === 0 || gaps > MAX_GAPS) return true;
    at += bytes;
  }
  return false;
}

/** Returns the length of the tag or the padding that begins there. 0 if neither does. */
function gapBytes(here: Buffer): number {
  const word = here.toString("latin1", 0, 3);
  if (word === "ID3") return id3Bytes(here);
  if (word === "TAG") return ID3V1_BYTES;
  const apeBytes = apeBodyBytes(here);
  if (apeBytes !== undefined) return APE_BYTES + apeBytes;
  const padding = paddingBytes(here);
  const near = here.subarray(0, END_WITHIN_BYTES);
  return lyricsBytes(near) ?? headlessApeBytes(near, padding) ?? padding;
}

function paddingBytes(here: Buffer): number {
  const end = here.findIndex((byte) => !PADDING.includes(byte));
  return end < 0 ? here.length : end;
}

const LYRICS = /^(?:.*?[0-9]{6}LYRICS200|.{0,5111}?LYRICSEND)/s;

/** Lyrics3 2.00 ends with the count of its bytes, and 1.00 has 5,100 of lyrics at most. id3.org/Lyrics3 */
function lyricsBytes(here: Buffer): number | undefined {
  if (here.toString("latin1", 0, 11) !== "LYRICSBEGIN") return undefined;
  return LYRICS.exec(here.toString("latin1"))?.[0].length;
}

/** An APEv1 tag has a footer alone, which counts the fields ahead of it. The first field's length may look like padding. */
function headlessApeBytes(here: Buffer, padding: number): number | undefined {
  const footer = here.indexOf("APETAGEX");
  const counted = footer < 0 ? undefined : apeBodyBytes(here.subarray(footer));
  if (counted === undefined) return undefined;
  const end = footer + APE_BYTES;
  return counted <= end && end - counted <= padding ? end : undefined;
}
