import type { FileChapter, Job } from "./contract.ts";
import { type Id3Chapter, id3Chapters } from "./id3-chapters.ts";
import { MAX_IMAGE_BYTES } from "./images.ts";
import { log } from "./logging.ts";
import { createOutputs } from "./outputs.ts";
import type { Sniffed } from "./sniff.ts";
import type { Source } from "./source.ts";

/** Different pictures of a file that are sent. The gateway has the same limit. */
const MOST_PICTURES = 100;

/** Milliseconds for which an encode that has ended waits for its pictures. */
const LATE_MS = 20_000;

interface Life {
  signal: AbortSignal;
  moved(): void;
}

/**
 * Reads the chapters of an MP3's tag, and sends their pictures to the gateway while the file is encoded: ffmpeg reads no
 * pictures, nor any chapter of version 4 that has one. The result stops that soon and returns the tag's chapters, or else
 * those that ffmpeg found. Neither ever fails.
 */
export function startChapters(
  job: Job,
  source: Pick<Source, "readAt" | "sizeBytes">,
  { demuxer, chapters: found }: Pick<Sniffed, "demuxer"> & { chapters: FileChapter[] },
  { signal, moved }: Life,
): () => Promise<FileChapter[]> {
  const late = new AbortController();
  const put = createOutputs(job, AbortSignal.any([signal, late.signal]), moved);
  let chapters: Id3Chapter[] = found;

  async function send(): Promise<void> {
    const tagged = demuxer === "mp3" ? await id3Chapters(source.readAt, source.sizeBytes) : [];
    if (tagged.length > 0) chapters = tagged;
    const images: { image: Buffer; isStored: boolean }[] = [];
    for (const chapter of tagged) {
      const { image } = chapter;
      if (!image || image.length > MAX_IMAGE_BYTES) continue;
      const known = images.findIndex((one) => one.image.equals(image));
      const picture = known < 0 ? images.length : known;
      if (picture === MOST_PICTURES) return;
      if (known < 0) images.push({ image, isStored: await isStored(picture, image) });
      if (images[picture]?.isStored) chapter.picture = picture;
    }
  }

  async function isStored(number: number, image: Buffer): Promise<boolean> {
    try {
      await put(`chapters/${number}`, "application/octet-stream", image);
      return true;
    } catch (error) {
      if (late.signal.aborted || signal.aborted) throw error;
      log("picture_refused", { job: job.id, attempt: job.attempt, number, detail: String(error) });
      return false;
    }
  }

  const sending = send().catch((error) =>
    log("pictures_left_out", { job: job.id, attempt: job.attempt, detail: String(error) }),
  );
  return async () => {
    const timer = setTimeout(() => late.abort(), LATE_MS);
    await sending;
    clearTimeout(timer);
    return chapters.map(({ image: _, ...chapter }) => chapter);
  };
}
