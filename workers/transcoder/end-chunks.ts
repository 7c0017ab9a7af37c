import { type ChunkFormat, MAX_PADDING_BYTES } from "./chunk-formats.ts";
import type { ReadAt } from "./read-windows.ts";

interface ChunkedFile {
  readAt: ReadAt;
  sizeBytes: number;
  format: ChunkFormat;
}

/** Chunks examined behind the audio. Honest files have a dozen. */
const MAX_CHUNKS = 64;

/** Bytes at the file's end in which a list of chunks may begin. */
const MAX_LIST_BYTES = 1024 * 1024;

/** Places where a list may begin. Audio has none, and hostile files could have thousands. */
const MAX_PLACES = 1_000;

/**
 * Returns where the audio ends that begins at `from`, whatever its header says: ahead of a list of chunks that reaches exactly to
 * the file's end, or there.
 */
export async function audioEnd({ readAt, sizeBytes, format }: ChunkedFile, from: number): Promise<number> {
  const start = Math.max(from, sizeBytes - MAX_LIST_BYTES);
  const tail = await readAt(start, sizeBytes - start);
  const places = format.isBehind.flatMap(({ bytes, at }) => placesOf(tail, bytes).map((place) => place - at));
  const first = places.sort((a, b) => a - b).find((place) => place >= 0 && reachesEnd(tail, place, format));
  return start + (first ?? tail.length);
}

function placesOf(data: Buffer, bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = data.indexOf(bytes); at >= 0 && places.length < MAX_PLACES; at = data.indexOf(bytes, at + 1))
    places.push(at);
  return places;
}

function reachesEnd(
  tail: Buffer,
  from: number,
  { headerBytes, id, isId, size, align }: ChunkFormat,
): boolean {
  let at = from;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + headerBytes <= tail.length; chunks++) {
    const header = tail.subarray(at, at + headerBytes);
    const bytes = size(header);
    if (!isId(id(header)) || bytes < 0) return false;
    const end = at + headerBytes + bytes;
    at += Math.ceil((headerBytes + bytes) / align) * align;
    // The last byte of alignment may be missing.
    if (end === tail.length || at === tail.length) return true;
  }
  return false;
}

/** ID3v2 and APEv2. Taken for audio, their pictures would be noise at full level. The chunk `ID3 ` is another thing. */
const TAG_AT_END = /^(?:ID3[^ ]|APETAGEX)/;

/** Whether only chunks, padding or a tag follow `end`. Some writers forget to align. */
export async function isChunksOn(file: ChunkedFile, end: number): Promise<boolean> {
  const aligned = Math.ceil(end / file.format.align) * file.format.align;
  if (await isChunkList(file, aligned)) return true;
  return aligned !== end && isChunkList(file, end);
}

async function isChunkList({ readAt, sizeBytes, format }: ChunkedFile, from: number): Promise<boolean> {
  let at = from;
  for (let chunks = 0; at < sizeBytes; chunks++) {
    const rest = sizeBytes - at;
    if (rest < format.headerBytes || chunks === MAX_CHUNKS) return true;
    const header = await readAt(at, format.headerBytes);
    if (header.toString("latin1", 0, 3) === "TAG" && rest === 128) return true;
    if (TAG_AT_END.test(header.toString("latin1"))) return true;
    if (rest <= MAX_PADDING_BYTES && (await readAt(at, rest)).every((byte) => byte === 0)) return true;
    const size = format.size(header);
    if (!format.isId(format.id(header)) || size < 0) return false;
    // A truncated last chunk counts if its name is known.
    if (at + format.headerBytes + size > sizeBytes)
      return /^(?:LIST|id3 |ID3 |bext|iXML)$/.test(format.id(header));
    at = Math.ceil((at + format.headerBytes + size) / format.align) * format.align;
  }
  return true;
}
