import { APE_BYTES, apeBodyBytes, ID3V1_BYTES } from "./end-tags.ts";
import { readFrameHeader } from "./mpeg-frames.ts";
import { id3Bytes } from "./sniff.ts";

/** Bytes. A file is read once more, in order. Each read costs a request and a statement. */
const WINDOW_BYTES = 16 * 1024 * 1024;

/** The longest head that tells a piece's length. */
const HEAD_BYTES = APE_BYTES;

const PADDING = [...Buffer.from("\0\r\n ")];

/** Tags and runs of padding. Files that people join have a few, and hostile ones could have millions. */
const MAX_GAPS = 10_000;

/**
 * Tells whether an MPEG stream holds more than frames, tags and padding. Files that were joined have tags in their middle. ffmpeg
 * says the same of them as of a frame whose header is damaged.
 */
export async function isDamaged(
  readAt: (offset: number, length: number) => Promise<Buffer>,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  let window = { from, bytes: Buffer.alloc(0) };
  let gaps = 0;
  for (let at = from; at < to; ) {
    if (at + HEAD_BYTES > window.from + window.bytes.length && window.from + window.bytes.length < to)
      window = { from: at, bytes: await readAt(at, Math.min(WINDOW_BYTES, to - at)) };
    const here = window.bytes.subarray(at - window.from);
    const frame = readFrameHeader(here, 0);
    const isFrame = frame !== undefined && frame.kind !== "adts";
    const bytes = isFrame ? frame.bytes : gapBytes(here);
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
  const end = here.findIndex((byte) => !PADDING.includes(byte));
  return end < 0 ? here.length : end;
}
