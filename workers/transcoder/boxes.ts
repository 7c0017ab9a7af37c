import type { ReadAt } from "./read-windows.ts";

/** A range of the file. `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

interface Box extends Span {
  type: string;
}

/** Reads the head of an MP4's box. ISO/IEC 14496-12 §4.2 */
export async function boxAt(readAt: ReadAt, from: number, end: number): Promise<Box | undefined> {
  if (from + 8 > end) return undefined;
  const header = await readAt(from, Math.min(16, end - from));
  const size = sizeOf(header, end - from);
  return size === undefined ? undefined : { type: header.toString("latin1", 4, 8), from, to: from + size };
}

/** Size 0 extends to the end; 1 means a 64-bit size follows the type. Returns `undefined` if invalid. */
export function sizeOf(header: Buffer, available: number): number | undefined {
  const short = header.readUInt32BE(0);
  if (short === 0) return available;
  if (short === 1 && header.length < 16) return undefined;
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
  return size >= (short === 1 ? 16 : 8) && size <= available ? size : undefined;
}
