import type { ReadAt } from "./read-windows.ts";

/** id3.org/ID3v1 */
export const ID3V1_BYTES = 128;

/** Header and footer of an APEv2 tag: the same words, and the bytes of all between the header and the end. */
export const APE_BYTES = 32;
const APE_SIZE_AT = 12;

const isApe = (bytes: Buffer): boolean =>
  bytes.length >= APE_BYTES && bytes.toString("latin1", 0, 8) === "APETAGEX";

/** Returns the length of what an APEv2 tag's header or footer counts: all but the header. */
export const apeBodyBytes = (bytes: Buffer): number | undefined =>
  isApe(bytes) ? bytes.readUInt32LE(APE_SIZE_AT) : undefined;

/** Zeros at the end of a FLAC: no frame ends with as many as the first, and as many as the second trouble no decoder. */
const MIN_ZEROS = 64;
const KEPT_ZEROS = 8;

const WINDOW_BYTES = 256 * 1024;
const MAX_WINDOWS = 64;

/** Returns the offset of the zeros that some programs leave ahead of `end`. Without them, `end`. */
export async function zerosAt(readAt: ReadAt, end: number): Promise<number> {
  let from = end;
  for (let windows = 0; windows < MAX_WINDOWS && from > 0; windows++) {
    const bytes = Math.min(from, WINDOW_BYTES);
    const last = (await readAt(from - bytes, bytes)).findLastIndex((byte) => byte !== 0);
    from += last + 1 - bytes;
    if (last >= 0) break;
  }
  return end - from < MIN_ZEROS ? end : from + KEPT_ZEROS;
}

/**
 * Returns the offset of the tags at the file's end, an ID3v1 and an APEv2 ahead of it. Without them, the file's size. ffmpeg takes
 * them for a damaged frame of a FLAC, and refuses a Wave64 that ends in one.
 */
export async function endTagsAt(readAt: ReadAt, sizeBytes: number): Promise<number> {
  const bytes = Math.min(sizeBytes, APE_BYTES + ID3V1_BYTES);
  const tail = await readAt(sizeBytes - bytes, bytes);
  const isTagged = bytes >= ID3V1_BYTES && tail.toString("latin1", bytes - ID3V1_BYTES).startsWith("TAG");
  const id3Bytes = isTagged ? ID3V1_BYTES : 0;
  const end = sizeBytes - id3Bytes;
  const apeBytes = apeBodyBytes(tail.subarray(0, bytes - id3Bytes).subarray(-APE_BYTES));
  if (apeBytes === undefined) return end;
  const start = end - APE_BYTES - apeBytes;
  // A broken size would cut audio off, so the header must be there.
  return start >= 0 && isApe(await readAt(start, APE_BYTES)) ? start : end;
}
