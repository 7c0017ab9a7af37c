import { APE_BYTES, apeBodyBytes } from "./end-tags.ts";
import { JobFailure } from "./failures.ts";
import { findFrames, isFreeFormat } from "./mpeg-frames.ts";

/** The format by content, and the only demuxer that ffmpeg may use. */
export interface Sniffed {
  family: "aiff" | "wav" | "flac" | "ogg" | "mp2" | "mp3" | "aac" | "amr" | "wma";
  demuxer: "aiff" | "wav" | "w64" | "flac" | "ogg" | "mp3" | "aac" | "mov" | "amr" | "asf";
  /** Length of the data before the audio, if ffmpeg would not skip it like an ID3 tag. Otherwise 0. */
  junkBytes: number;
}

/** Bytes searched. ffmpeg's MP3 demuxer also stops resynchronising there. */
const WINDOW_BYTES = 64 * 1024;

/** Tags and runs of zeros ahead of the audio. Some writers leave several tags, each with megabytes of cover art. */
const MAX_PIECES = 20;

/** Bytes read at a time once zeros have been found. */
const LONG_WINDOW_BYTES = 1024 * 1024;

/** Bytes searched behind a tag. Some writers tell a length of cover art that is too short, and players find the sound behind it. */
const TAGGED_BYTES = 16 * 1024 * 1024;

const ASF_GUID = "3026b2758e66cf11a6d900aa0062ce6c";
const W64_GUID = "726966662e91cf11a5d628db04c10000";

/** Never left to ffmpeg: it takes random bytes for MP3 and fetches the URLs of a playlist named .mp3. */
export async function sniff(
  readAt: (offset: number, length: number) => Promise<Uint8Array>,
  sizeBytes: number,
): Promise<Sniffed> {
  if (sizeBytes === 0) throw new JobFailure("empty_file", "the source has no bytes");
  const readFrom = (from: number, length: number) => readAt(from, Math.min(sizeBytes - from, length));
  let offset = 0;
  let isForeign = false;
  let head = await readFrom(0, WINDOW_BYTES);
  for (let pieces = 0; pieces < MAX_PIECES && offset <= TAGGED_BYTES; pieces++) {
    const isId3 = startsWith(head, "ID3");
    const bytes = isId3 ? id3Bytes(head) : foreignBytes(head);
    if (bytes === 0 || offset + bytes >= sizeBytes) break;
    isForeign ||= !isId3;
    offset += bytes;
    head = await readFrom(offset, isForeign ? LONG_WINDOW_BYTES : WINDOW_BYTES);
  }
  const look = () => sniffBytes(head, offset + head.length === sizeBytes);
  let sniffed = look();
  if (!sniffed && offset > 0) {
    head = await readFrom(offset, TAGGED_BYTES);
    sniffed = look();
  }
  // A movie counts its offsets from the file's beginning.
  if (!sniffed || (isForeign && sniffed.demuxer === "mov")) {
    if (isFreeFormat(head)) throw new JobFailure("free_format", "MP3 of free format");
    throw new JobFailure("unsupported_format", "the content is none of the accepted audio formats");
  }
  const { start = 0, ...format } = sniffed;
  const isSkipped = isForeign || start > 0 || CHUNKED.includes(format.demuxer);
  return { ...format, junkBytes: isSkipped ? offset + start : 0 };
}

/** Formats whose chunks are read here, too, from their beginning. */
const CHUNKED: Sniffed["demuxer"][] = ["wav", "w64", "aiff"];

/** Zeros that are no part of a header. */
const MIN_ZEROS = 64;

/** Length of an APEv2 tag or of zeros. Some programs leave them ahead of the audio, and players pass over them. */
function foreignBytes(head: Uint8Array): number {
  const bytes = apeBodyBytes(Buffer.from(head.subarray(0, APE_BYTES)));
  if (bytes !== undefined) return APE_BYTES + bytes;
  const zeros = head.findIndex((byte) => byte !== 0);
  const count = zeros < 0 ? head.length : zeros;
  return count < MIN_ZEROS ? 0 : count;
}

/** `start`: offset of the first frame, for formats that have frames alone. */
type Format = Omit<Sniffed, "junkBytes"> & { start?: number | undefined };

function sniffBytes(head: Uint8Array, atEndOfFile: boolean): Format | undefined {
  const form = ascii(head, 8, 4);
  if (/^(RIFF|RIFX|RF64|BW64)$/.test(ascii(head, 0, 4)) && form === "WAVE")
    return { family: "wav", demuxer: "wav" };
  if (hex(head, 0, 16) === W64_GUID) return { family: "wav", demuxer: "w64" };
  if (startsWith(head, "FORM") && (form === "AIFF" || form === "AIFC"))
    return { family: "aiff", demuxer: "aiff" };
  if (startsWith(head, "fLaC")) return { family: "flac", demuxer: "flac" };
  if (startsWith(head, "OggS")) return { family: "ogg", demuxer: "ogg" };
  if (startsWith(head, "#!AMR\n") || startsWith(head, "#!AMR-WB\n")) return { family: "amr", demuxer: "amr" };
  if (hex(head, 0, 16) === ASF_GUID) return { family: "wma", demuxer: "asf" };
  if (isIsoMedia(head)) return { family: "aac", demuxer: "mov" };
  return sniffFrames(head, atEndOfFile);
}

function sniffFrames(head: Uint8Array, atEndOfFile: boolean): Format | undefined {
  const { kind, start } = findFrames(head, atEndOfFile) ?? {};
  if (kind === "adts") return { family: "aac", demuxer: "aac", start };
  if (kind) return { family: kind, demuxer: "mp3", start };
}

/** `ftyp`, or a box that old QuickTime writers put first. */
const isIsoMedia = (head: Uint8Array): boolean => /^(ftyp|moov|mdat|wide|free|skip)$/.test(ascii(head, 4, 4));

/** Header, length in four 7-bit bytes, optional footer. id3.org/id3v2.4.0-structure §3.1 */
export function id3Bytes(head: Uint8Array): number {
  const [flags = 0, a = 0, b = 0, c = 0, d = 0] = head.subarray(5, 10);
  const size = ((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127);
  return 10 + size + (flags & 0x10 ? 10 : 0);
}

const ascii = (data: Uint8Array, from: number, length: number): string =>
  Buffer.from(data.subarray(from, from + length)).toString("latin1");

const hex = (data: Uint8Array, from: number, length: number): string =>
  Buffer.from(data.subarray(from, from + length)).toString("hex");

const startsWith = (data: Uint8Array, magic: string): boolean => ascii(data, 0, magic.length) === magic;
