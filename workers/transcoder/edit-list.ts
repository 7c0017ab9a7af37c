import { boxAt, sizeOf } from "./boxes.ts";
import { type ReadAt, readInWindows } from "./read-windows.ts";

/** Bytes of an index to hold in memory, and boxes examined in the file, or in a box. */
const MAX_INDEX_BYTES = 64 * 2 ** 20;
const MAX_BOXES = 1_000;

/**
 * Returns the length of the first audio track as its edit list tells it, or iTunes' tag. ffmpeg leaves out what the list cuts off
 * ahead, but plays the last packet to its end, so that neighbours of an album would not touch.
 */
export async function editedSeconds(readAt: ReadAt, sizeBytes: number): Promise<number | undefined> {
  const moov = await indexOf(readInWindows(readAt, sizeBytes), sizeBytes);
  const track = moov && boxesIn(moov, "trak").find((trak) => handlerOf(trak) === "soun");
  const movieScale = moov && timesOf(inner(moov, "mvhd"))?.scale;
  const media = track && timesOf(inner(track, "mdia", "mdhd"));
  if (!moov || !track || !movieScale || !media) return undefined;
  const edits = editsOf(inner(track, "edts", "elst"));
  if (edits.length === 0) return itunesSeconds(moov, media.scale);
  // A list cannot count fragments that follow it, and stills have another rate.
  if (inner(moov, "mvex") || edits.some(({ duration, rate }) => duration === 0 || rate !== 1))
    return undefined;
  const heard = edits.filter(({ from }) => from >= 0);
  const seconds = heard.reduce((sum, { duration }) => sum + duration, 0) / movieScale;
  const [only, more] = heard;
  // The movie's scale may be coarse. A track counts in samples.
  const left = only && !more && media.duration > 0 ? (media.duration - only.from) / media.scale : seconds;
  return Math.min(seconds, left) > 0 ? Math.min(seconds, left) : undefined;
}

async function indexOf(readAt: ReadAt, sizeBytes: number): Promise<Buffer | undefined> {
  let at = 0;
  for (let boxes = 0; boxes < MAX_BOXES; boxes++) {
    const box = await boxAt(readAt, at, sizeBytes);
    if (!box) return undefined;
    if (box.type === "moov")
      return box.to - box.from > MAX_INDEX_BYTES ? undefined : readAt(box.from, box.to - box.from);
    at = box.to;
  }
  return undefined;
}

/** Boxes of this type inside `box`, whose content begins behind size and type. */
function boxesIn(box: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let [at, boxes] = [8, 0]; boxes < MAX_BOXES && at + 8 <= box.length; boxes++) {
    const size = sizeOf(box.subarray(at, at + 16), box.length - at);
    if (size === undefined) break;
    if (box.toString("latin1", at + 4, at + 8) === type) found.push(box.subarray(at, at + size));
    at += size;
  }
  return found;
}

const inner = (box: Buffer | undefined, ...path: string[]): Buffer | undefined =>
  path.reduce<Buffer | undefined>((outer, type) => outer && boxesIn(outer, type)[0], box);

/** Follows version, flags and a field that is 0. ISO/IEC 14496-12 §8.4.3 */
const handlerOf = (track: Buffer): string | undefined =>
  inner(track, "mdia", "hdlr")?.toString("latin1", 16, 20);

/** Reads `mvhd` or `mdhd`: units a second, and the length in them. Version 1 has times of 64 bits. §8.2.2, §8.4.2 */
function timesOf(box: Buffer | undefined): { scale: number; duration: number } | undefined {
  if (!box || box.length < (box[8] === 1 ? 40 : 28)) return undefined;
  if (box[8] === 1) return { scale: box.readUInt32BE(28), duration: Number(box.readBigUInt64BE(32)) };
  return { scale: box.readUInt32BE(20), duration: box.readUInt32BE(24) };
}

interface Edit {
  duration: number;
  /** Place in the track. −1 stands for silence. */
  from: number;
  rate: number;
}

/** §8.6.6 */
function editsOf(box: Buffer | undefined): Edit[] {
  if (!box || box.length < 16) return [];
  const isWide = box[8] === 1;
  const bytes = isWide ? 20 : 12;
  const count = Math.min(box.readUInt32BE(12), Math.floor((box.length - 16) / bytes));
  return Array.from({ length: count }, (_, n) => {
    const at = 16 + n * bytes;
    return {
      duration: isWide ? Number(box.readBigUInt64BE(at)) : box.readUInt32BE(at),
      from: isWide ? Number(box.readBigInt64BE(at + 8)) : box.readInt32BE(at + 4),
      rate: box.readInt16BE(at + bytes - 4),
    };
  });
}

/** The count of samples, behind those that the encoder put ahead and behind. Older files of iTunes have no edit list. */
function itunesSeconds(moov: Buffer, scale: number): number | undefined {
  const at = moov.indexOf("iTunSMPB");
  const text = at < 0 ? "" : moov.toString("latin1", at, at + 200);
  const [, samples] = /data.{8}\s*[0-9A-F]{8} [0-9A-F]{8} [0-9A-F]{8} ([0-9A-F]{16})/s.exec(text) ?? [];
  return samples && Number(`0x${samples}`) > 0 && scale > 0 ? Number(`0x${samples}`) / scale : undefined;
}
