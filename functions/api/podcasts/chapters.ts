import type { Chapter } from "../../../db/schema/podcasts.ts";
import { textOf } from "../../lib/text/plain-text.ts";

/** A track's chapters, and where they come from. */
interface Chapters {
  source: "uploaded" | "description";
  chapters: Chapter[];
}

interface Chaptered {
  /** Those that the owner uploaded. */
  uploaded: Chapter[] | null;
  description: string | null;
  durationMs: number;
}

/** The chapters that the owner uploaded, as far as they are within the track; else those of the description. */
export const chaptersOf = ({ uploaded, description, durationMs }: Chaptered): Chapters =>
  uploaded
    ? { source: "uploaded", chapters: uploaded.filter(({ start }) => start < durationMs) }
    : { source: "description", chapters: chaptersIn(description, durationMs) };

/** A chapter as https://podcasting2.org/docs/podcast-namespace/tags/chapters has it, in seconds. */
export const chapterInFile = ({ start, end, title, url, img, toc }: Chapter) => ({
  startTime: start / 1_000,
  ...(end !== undefined && { endTime: end / 1_000 }),
  ...(title !== undefined && { title }),
  ...(url !== undefined && { url }),
  ...(img !== undefined && { img }),
  ...(toc !== undefined && { toc }),
});

export const CHAPTERS_VERSION = "1.2.0";

/**
 * `0:00 Title`, `[1:02:03] Title`, `0:00 – Title`, `105:12 Title`, `00:00:00.000 Title`. Has one run of blanks: two
 * would take quadratic time.
 */
const LINE =
  /^\W{0,3}(?:(\d{1,2}):(?=[0-5]?\d:))?(\d{1,4}):([0-5]\d(?:[.,]\d{1,3})?)[\])]?(?:\s*[-–—:])?\s+(\S.*)/s;

const MIN_CHAPTERS = 2;

const secondsOf = (text = ""): number => Number(text.replace(",", "."));

/**
 * Reads chapters from description lines that begin with times: the first at 0:00, ascending, within the track.
 * Otherwise there are none.
 */
export function chaptersIn(description: string | null, durationMs: number): Chapter[] {
  if (!description?.includes(":")) return [];
  const chapters = textOf(description)
    .split("\n")
    .flatMap((line): Chapter[] => {
      const [, h, m, s, title] = LINE.exec(line.trim()) ?? [];
      if (title === undefined) return [];
      const seconds = Number(h ?? 0) * 3600 + Number(m) * 60 + secondsOf(s);
      return [{ start: Math.round(seconds * 1_000), title }];
    });
  const inOrder = chapters.every(({ start }, n) =>
    n === 0 ? start === 0 : start > (chapters[n - 1]?.start ?? 0),
  );
  const fits = chapters.every(({ start }) => start < durationMs);
  return chapters.length >= MIN_CHAPTERS && inOrder && fits ? chapters : [];
}
