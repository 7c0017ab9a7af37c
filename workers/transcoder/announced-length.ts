import type { Sniffed } from "./sniff.ts";
import type { Correction } from "./source.ts";

type ReadAt = (offset: number, length: number) => Promise<Buffer>;

/** A format of chunks, one of which holds the audio and states its length. */
interface ChunkFormat {
  /** Offset of the first chunk. */
  first: number;
  headerBytes: number;
  id(header: Buffer): string;
  /** Bytes after the header. */
  size(header: Buffer): number;
  /** Offset in the file of the size that ffmpeg goes by, of the chunk at `at`. `asSize` encodes a size. */
  sizeAt(at: number): number;
  asSize(bytes: number): Buffer;
  /** Chunks begin at multiples of this. */
  align: number;
  audio: string;
  isId(id: string): boolean;
  isUnknown(size: number): boolean;
}

/** The header states another length than the file has. With the correction ffmpeg reads the whole file. */
type Misannounced = { is: "shorter" } | { is: "longer"; correction: Correction };

/** Chunks examined on either side of the audio. Honest files have a dozen. */
const MAX_CHUNKS = 64;

const WINDOW_BYTES = 4096;

/** Bytes. Zeros up to the end of a disk block are not audio. */
const MAX_PADDING_BYTES = 4096;

/** 32-bit sizes of writers that could not seek back: 0, or close to the maximum. */
const UNKNOWN_32 = 0x7fff_0000;
const LARGEST_32 = 0xffff_fffe;

const uint32 = (littleEndian: boolean) => (value: number) => {
  const bytes = Buffer.alloc(4);
  if (littleEndian) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};

const riffLike = (littleEndian: boolean, audio: string): ChunkFormat => ({
  first: 12,
  headerBytes: 8,
  id: (header) => header.toString("latin1", 0, 4),
  size: (header) => (littleEndian ? header.readUInt32LE(4) : header.readUInt32BE(4)),
  sizeAt: (at) => at + 4,
  asSize: (bytes) => uint32(littleEndian)(Math.min(bytes, LARGEST_32)),
  align: 2,
  audio,
  isId: (id) => /^[A-Za-z0-9_(][\x20-\x7e]{3}$/.test(id),
  isUnknown: (size) => size === 0 || size >= UNKNOWN_32,
});

/** All but two of Sony's identifiers share this ending. */
const W64_GUIDS = /^(?:.{8}f3acd3118cd100c04f8edb8a|6c6973742f91cf11a5d628db04c10000)$/;

const W64: ChunkFormat = {
  first: 40,
  headerBytes: 24,
  id: (header) => header.toString("hex", 0, 16),
  size: (header) => Number(header.readBigUInt64LE(16)) - 24,
  sizeAt: (at) => at + 16,
  asSize: (bytes) => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(bytes + 24));
    return size;
  },
  align: 8,
  audio: "64617461f3acd3118cd100c04f8edb8a",
  isId: (id) => W64_GUIDS.test(id),
  isUnknown: (size) => size <= 0,
};

/** Offset of the audio's size in 64 bits: in the first chunk, `ds64`, behind the size of the file. EBU Tech 3306 */
const DS64_AUDIO_AT = 28;

function rf64(head: Buffer): ChunkFormat | undefined {
  if (head.length < DS64_AUDIO_AT + 8 || head.toString("latin1", 12, 16) !== "ds64") return undefined;
  const riff = riffLike(true, "data");
  const audioBytes = Number(head.readBigUInt64LE(DS64_AUDIO_AT));
  return {
    ...riff,
    size: (header) => (riff.id(header) === riff.audio ? audioBytes : riff.size(header)),
    sizeAt: () => DS64_AUDIO_AT,
    asSize(bytes) {
      const size = Buffer.alloc(8);
      size.writeBigUInt64LE(BigInt(bytes));
      return size;
    },
    // ffmpeg takes 0 at its word.
    isUnknown: (size) => !Number.isSafeInteger(size),
  };
}

async function formatOf(demuxer: Sniffed["demuxer"], readAt: ReadAt): Promise<ChunkFormat | undefined> {
  if (demuxer === "w64") return W64;
  if (demuxer === "aiff") return riffLike(false, "SSND");
  const head = demuxer === "wav" ? await readAt(0, DS64_AUDIO_AT + 8) : Buffer.alloc(0);
  const magic = head.toString("latin1", 0, 4);
  if (magic === "RF64" || magic === "BW64") return rf64(head);
  return magic === "RIFF" || magic === "RIFX" ? riffLike(magic === "RIFF", "data") : undefined;
}

/**
 * Compares the announced length with the file. Recorders that lost power never wrote it; truncated files have
 * less. Honest audio is followed only by further chunks.
 */
export async function checkAnnouncedLength(
  readFile: ReadAt,
  sizeBytes: number,
  demuxer: Sniffed["demuxer"],
): Promise<Misannounced | undefined> {
  const readAt = readInWindows(readFile, sizeBytes);
  const format = await formatOf(demuxer, readAt);
  if (!format) return undefined;
  const { headerBytes, align } = format;
  let at = format.first;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + headerBytes <= sizeBytes; chunks++) {
    const header = await readAt(at, headerBytes);
    const size = format.size(header);
    const end = at + headerBytes + size;
    if (format.id(header) === format.audio) {
      if (format.isUnknown(size)) return undefined;
      if (end >= sizeBytes) return end > sizeBytes + MAX_PADDING_BYTES ? { is: "shorter" } : undefined;
      if (await isChunksOn({ readAt, sizeBytes, format }, end)) return undefined;
      const bytes = format.asSize(sizeBytes - at - headerBytes);
      return { is: "longer", correction: { at: format.sizeAt(at), bytes } };
    }
    if (size < 0) return undefined;
    at = Math.ceil(end / align) * align;
  }
  return undefined;
}

/** Reads in windows, because each read is a request and headers mostly lie close together. */
function readInWindows(readAt: ReadAt, sizeBytes: number): ReadAt {
  let window = { from: 0, bytes: Buffer.alloc(0) };
  return async (offset, length) => {
    if (offset < window.from || offset + length > window.from + window.bytes.length) {
      const wanted = Math.max(length, WINDOW_BYTES);
      window = { from: offset, bytes: await readAt(offset, Math.min(wanted, sizeBytes - offset)) };
    }
    return window.bytes.subarray(offset - window.from, offset - window.from + length);
  };
}

/** ID3v2 and APEv2. Taken for audio, their pictures would be noise at full level. The chunk `ID3 ` is another thing. */
const TAG_AT_END = /^(?:ID3[^ ]|APETAGEX)/;

/** Whether only chunks, padding or a tag follow `end`. Some writers forget to align. */
async function isChunksOn(
  file: { readAt: ReadAt; sizeBytes: number; format: ChunkFormat },
  end: number,
): Promise<boolean> {
  const aligned = Math.ceil(end / file.format.align) * file.format.align;
  if (await isChunkList(file, aligned)) return true;
  return aligned !== end && isChunkList(file, end);
}

async function isChunkList(
  { readAt, sizeBytes, format }: { readAt: ReadAt; sizeBytes: number; format: ChunkFormat },
  from: number,
): Promise<boolean> {
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
