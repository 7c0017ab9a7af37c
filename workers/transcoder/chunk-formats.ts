import type { ReadAt } from "./read-windows.ts";
import type { Sniffed } from "./sniff.ts";

/** A format of chunks, one of which holds the audio and states its length. */
export interface ChunkFormat {
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
  /** The chunk that describes the samples, where it counts valid bits. */
  format?: { id: string; uint16(bytes: Buffer, at: number): number; asUint16(value: number): Buffer };
  isId(id: string): boolean;
  /** Bytes that begin a chunk behind the audio, and their offset in it. */
  isBehind: { bytes: Buffer; at: number }[];
  isUnknown(size: number): boolean;
}

/** Bytes. Zeros up to the end of a disk block are not audio. */
export const MAX_PADDING_BYTES = 4096;

const LARGEST_32 = 0xffff_fffe;

/** 32-bit sizes of writers that could not seek back: 0, or little from a maximum. SoX writes 0x7f000008 to an AIFF. */
const isUnknown32 = (size: number): boolean =>
  size === 0 ||
  size >= 0xffff_0000 ||
  (size >>> 16 === 0x7f00 && size < 0x7f00_0100) ||
  size >>> 16 === 0x7fff;

const uint32 = (littleEndian: boolean) => (value: number) => {
  const bytes = Buffer.alloc(4);
  if (littleEndian) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};

const uint16 = (littleEndian: boolean) => ({
  uint16: (bytes: Buffer, at: number) => (littleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
  asUint16: (value: number) => uint32(littleEndian)(littleEndian ? value : value << 16).subarray(0, 2),
});

/** Names of chunks that writers put behind the audio. */
const BEHIND = {
  data: "LIST id3 ID3 bext iXML cue fact smpl inst _PMX axml acid afsp JUNK PAD DISP PEAK cart umid levl chna",
  SSND: "NAME AUTH (c) ANNO ID3 MARK INST COMT APPL MIDI AESD CHAN",
};

const riffLike = (littleEndian: boolean, audio: keyof typeof BEHIND): ChunkFormat => ({
  first: 12,
  headerBytes: 8,
  id: (header) => header.toString("latin1", 0, 4),
  size: (header) => (littleEndian ? header.readUInt32LE(4) : header.readUInt32BE(4)),
  sizeAt: (at) => at + 4,
  asSize: (bytes) => uint32(littleEndian)(Math.min(bytes, LARGEST_32)),
  align: 2,
  audio,
  ...(audio === "data" && { format: { id: "fmt ", ...uint16(littleEndian) } }),
  isId: (id) => /^[A-Za-z0-9_(][\x20-\x7e]{3}$/.test(id),
  isBehind: BEHIND[audio].split(" ").map((name) => ({ bytes: Buffer.from(name.padEnd(4)), at: 0 })),
  isUnknown: isUnknown32,
});

/** All but two of Sony's identifiers share this ending. */
const W64_ENDING = "f3acd3118cd100c04f8edb8a";
const W64_LIST = "6c6973742f91cf11a5d628db04c10000";
const W64_GUIDS = new RegExp(`^(?:.{8}${W64_ENDING}|${W64_LIST})$`);

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
  audio: `64617461${W64_ENDING}`,
  format: { id: `666d7420${W64_ENDING}`, ...uint16(true) },
  isId: (id) => W64_GUIDS.test(id),
  isBehind: [
    { bytes: Buffer.from(W64_ENDING, "hex"), at: 4 },
    { bytes: Buffer.from(W64_LIST, "hex"), at: 0 },
  ],
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

export async function formatOf(
  demuxer: Sniffed["demuxer"],
  readAt: ReadAt,
): Promise<ChunkFormat | undefined> {
  if (demuxer === "w64") return W64;
  if (demuxer === "aiff") return riffLike(false, "SSND");
  const head = demuxer === "wav" ? await readAt(0, DS64_AUDIO_AT + 8) : Buffer.alloc(0);
  const magic = head.toString("latin1", 0, 4);
  if (magic === "RF64" || magic === "BW64") return rf64(head);
  return magic === "RIFF" || magic === "RIFX" ? riffLike(magic === "RIFF", "data") : undefined;
}
