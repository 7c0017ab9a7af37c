import type { ReadAt } from "./read-windows.ts";

/** Bytes of an index to hold in memory. 24 hours of audio need some 20 MB. */
const MAX_INDEX_BYTES = 64 * 2 ** 20;

/** Boxes examined before giving up. */
const MAX_BOXES = 1_000;

/** Boxes that contain the offset tables. ISO/IEC 14496-12 §8 */
const CONTAINERS = new Set(["trak", "mdia", "minf", "stbl"]);

/** A range of the file, or bytes that replace it. */
export type Piece = Span | Buffer;

/** `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

interface Box extends Span {
  type: string;
}

/**
 * Returns the file's pieces in an order that needs no seeking. Most writers put the index (`moov`) last; it
 * moves to the front with adjusted offsets.
 */
export async function moovFirst(readAt: ReadAt, sizeBytes: number): Promise<Piece[]> {
  const wholeFile = [{ from: 0, to: sizeBytes }];
  let audio: Box | undefined;
  let at = 0;
  for (let boxes = 0; boxes < MAX_BOXES; boxes++) {
    const box = await boxAt(readAt, at, sizeBytes);
    if (!box) return wholeFile;
    if (box.type === "mdat") audio ??= box;
    if (box.type === "moov") {
      if (!audio || box.to - box.from > MAX_INDEX_BYTES) return wholeFile;
      const index = await readAt(box.from, box.to - box.from);
      // 0 means "to the end of the file", which no longer holds.
      if (index.readUInt32BE(0) === 0) index.writeUInt32BE(index.length);
      moveOffsets(index, { from: audio.from, to: box.from, by: index.length });
      return [
        { from: 0, to: audio.from },
        index,
        { from: audio.from, to: box.from },
        { from: box.to, to: sizeBytes },
      ];
    }
    at = box.to;
  }
  return wholeFile;
}

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

/** Offsets between the two places grow by the length of the index. */
function moveOffsets(box: Buffer, moved: Span & { by: number }): void {
  for (let at = 8; at + 8 <= box.length; ) {
    const size = sizeOf(box.subarray(at, at + 16), box.length - at);
    if (size === undefined) return;
    const inner = box.subarray(at, at + size);
    const type = inner.toString("latin1", 4, 8);
    if (CONTAINERS.has(type)) moveOffsets(inner, moved);
    if (type === "stco") moveTable(inner, 4, moved);
    if (type === "co64") moveTable(inner, 8, moved);
    at += size;
  }
}

/** Layout after size and type: version and flags, entry count, entries. */
function moveTable(box: Buffer, width: 4 | 8, moved: Span & { by: number }): void {
  if (box.length < 16) return;
  const count = Math.min(box.readUInt32BE(12), Math.floor((box.length - 16) / width));
  for (let at = 16; at < 16 + count * width; at += width) {
    const offset = width === 4 ? box.readUInt32BE(at) : Number(box.readBigUInt64BE(at));
    if (offset < moved.from || offset >= moved.to) continue;
    const to = offset + moved.by;
    if (width === 8) box.writeBigUInt64BE(BigInt(to), at);
    // Offsets beyond 32 bits occur in no honest file.
    else if (to <= 0xffff_ffff) box.writeUInt32BE(to, at);
  }
}
