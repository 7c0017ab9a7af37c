import type { Readable } from "node:stream";
import type { FileChapter } from "./contract.ts";

/** Makes ffmpeg write the chapters of its input alone. Without `-copyts` it would count from the first packet of an MP3. */
export const WRITE_CHAPTERS = ["-copyts", "-map_metadata:g", "-1", "-f", "ffmetadata", "pipe:1"];

/** Bytes of a description that is read. Real ones have some kilobytes. */
const MAX_BYTES = 1024 * 1024;

/** Reads a stream to its end. One that is too long counts as empty. */
export async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BYTES ? "" : Buffer.concat(chunks).toString();
}

/** Reads chapters in ffmpeg's format: ffmpeg.org/ffmpeg-formats.html#Metadata-2 */
export function chaptersIn(metadata: string): FileChapter[] {
  const [, ...parts] = linesIn(metadata).join("\n").split("\n[CHAPTER]\n");
  return parts.flatMap((part) => {
    const field = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(part)?.[1];
    const [over = 0, under = 0] = (field("TIMEBASE") ?? "").split("/").map(Number);
    const inMs = (units = "") => Math.round((Number(units) * over * 1_000) / under);
    const [start, end] = [inMs(field("START")), inMs(field("END"))];
    const title = field("title");
    return Number.isSafeInteger(start) && Number.isSafeInteger(end)
      ? [{ start, end, ...(title && { title }) }]
      : [];
  });
}

/** A backslash stands before each character that would mean something, line ends included. */
const linesIn = (metadata: string): string[] =>
  (metadata.match(/(?:\\[\s\S]|[^\\\n])+/g) ?? []).map((line) =>
    line
      .replace(/\\([\s\S])/g, "$1")
      .replace(/\s+/g, " ")
      .trim(),
  );
