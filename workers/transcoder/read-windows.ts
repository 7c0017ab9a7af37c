export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

const WINDOW_BYTES = 4096;

/** Reads in windows, because each read is a request and headers mostly lie close together. */
export function readInWindows(readAt: ReadAt, sizeBytes: number): ReadAt {
  let window = { from: 0, bytes: Buffer.alloc(0) };
  return async (offset, length) => {
    if (offset < window.from || offset + length > window.from + window.bytes.length) {
      const wanted = Math.max(length, WINDOW_BYTES);
      window = { from: offset, bytes: await readAt(offset, Math.min(wanted, sizeBytes - offset)) };
    }
    return window.bytes.subarray(offset - window.from, offset - window.from + length);
  };
}
