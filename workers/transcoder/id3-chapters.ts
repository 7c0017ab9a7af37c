import type { FileChapter } from "./contract.ts";
import { framesOf, imageIn, textIn } from "./id3-frames.ts";
import type { ReadAt } from "./read-windows.ts";
import { id3Bytes } from "./sniff.ts";

/** A chapter of a tag, with the file of its picture. */
export interface Id3Chapter extends FileChapter {
  image?: Buffer;
}

/** Bytes of a tag that is read. Memory holds it whole. */
const MAX_TAG_BYTES = 32 * 1024 * 1024;

/** Bytes read at first. Most tags without pictures are shorter. */
const WINDOW_BYTES = 64 * 1024;

/** Chapters of a tag that are read, and bytes of a title. */
const MAX_CHAPTERS = 1_000;
const MAX_TITLE_BYTES = 4_096;

/** Start, end, and two offsets that hardly any program writes. */
const TIMES_BYTES = 16;

/** Reads chapters from the ID3 tag ahead of the audio, in its order: id3.org/id3v2-chapters-1.0 */
export async function id3Chapters(readAt: ReadAt, sizeBytes: number): Promise<Id3Chapter[]> {
  const head = await readAt(0, Math.min(sizeBytes, WINDOW_BYTES));
  const bytes = id3Bytes(head);
  if (head.toString("latin1", 0, 3) !== "ID3" || bytes > Math.min(sizeBytes, MAX_TAG_BYTES)) return [];
  const tag =
    bytes <= head.length
      ? head.subarray(0, bytes)
      : Buffer.concat([head, await readAt(head.length, bytes - head.length)]);
  const chapters: Id3Chapter[] = [];
  for (const { id, body, within } of framesOf(tag)) {
    const times = body.indexOf(0) + 1;
    if (id !== "CHAP" || times === 0 || body.length < times + TIMES_BYTES) continue;
    if (chapters.push(chapterIn(body, times, within)) === MAX_CHAPTERS) break;
  }
  return chapters;
}

function chapterIn(
  body: Buffer,
  times: number,
  within: (from: number) => { id: string; body: Buffer }[],
): Id3Chapter {
  const frames = within(times + TIMES_BYTES);
  const bodyOf = (id: string) => frames.find((frame) => frame.id === id)?.body;
  const [words, picture] = [bodyOf("TIT2"), bodyOf("APIC")];
  const title = words && words.length <= MAX_TITLE_BYTES ? textIn(words).replace(/\s+/g, " ").trim() : "";
  const image = picture && imageIn(picture);
  return {
    start: body.readUInt32BE(times),
    end: body.readUInt32BE(times + 4),
    ...(title && { title }),
    ...(image?.length && { image }),
  };
}
