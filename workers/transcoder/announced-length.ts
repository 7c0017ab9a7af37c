import { type ChunkFormat, formatOf, MAX_PADDING_BYTES } from "./chunk-formats.ts";
import { audioEnd, isChunksOn } from "./end-chunks.ts";
import { type ReadAt, readInWindows } from "./read-windows.ts";
import type { Sniffed } from "./sniff.ts";
import type { Correction } from "./source.ts";

interface Announced {
  /** The file's length compared with its header. `unknown`: the header states none. */
  is?: "shorter" | "longer" | "unknown";
  /** With them ffmpeg reads the samples as they are, all of them, and nothing else. */
  corrections: Correction[];
}

/** Chunks examined ahead of the audio. Honest files have a dozen. */
const MAX_CHUNKS = 64;

/**
 * Compares the announced length with the file. Recorders that lost power never wrote it; truncated files have
 * less. Honest audio is followed only by further chunks, and chunks that reach exactly to the file's end are no audio.
 */
export async function checkAnnounced(
  readFile: ReadAt,
  sizeBytes: number,
  demuxer: Sniffed["demuxer"],
): Promise<Announced> {
  const readAt = readInWindows(readFile, sizeBytes);
  const format = await formatOf(demuxer, readAt);
  const corrections: Correction[] = [];
  if (!format) return { corrections };
  const { headerBytes, align } = format;
  let at = format.first;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + headerBytes <= sizeBytes; chunks++) {
    const header = await readAt(at, headerBytes);
    const size = format.size(header);
    if (format.id(header) === format.audio) {
      const { is, correction } = await compare({ readAt, sizeBytes, format }, at, size);
      return { ...(is && { is }), corrections: [...corrections, ...correction] };
    }
    if (size < 0) break;
    if (format.id(header) === format.format?.id)
      corrections.push(...allBits(await readAt(at + headerBytes, 20), at + headerBytes, format.format));
    at = Math.ceil((at + headerBytes + size) / align) * align;
  }
  return { corrections };
}

async function compare(
  file: { readAt: ReadAt; sizeBytes: number; format: ChunkFormat },
  at: number,
  size: number,
): Promise<Pick<Announced, "is"> & { correction: Correction[] }> {
  const { sizeBytes, format } = file;
  const from = at + format.headerBytes;
  const announced = from + size;
  const end = await audioEnd(file, from);
  const correction = [{ at: format.sizeAt(at), bytes: format.asSize(end - from) }];
  if (format.isUnknown(size)) return { is: "unknown", correction };
  if (announced < end)
    return (await isChunksOn(file, announced)) ? { correction: [] } : { is: "longer", correction };
  if (end < sizeBytes) return { correction };
  return { ...(announced > end + MAX_PADDING_BYTES && { is: "shorter" }), correction: [] };
}

const EXTENSIBLE = 0xfffe;

/** ffmpeg takes the count of valid bits for that of stored ones: 24 in 32 would be floats, 16 in 32 noise. The others are zero. */
function allBits(
  format: Buffer,
  at: number,
  { uint16, asUint16 }: NonNullable<ChunkFormat["format"]>,
): Correction[] {
  if (format.length < 20 || uint16(format, 0) !== EXTENSIBLE) return [];
  const [stored, valid] = [uint16(format, 14), uint16(format, 18)];
  return valid > 0 && valid < stored ? [{ at: at + 18, bytes: asUint16(stored) }] : [];
}
