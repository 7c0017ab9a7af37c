import type { StoredChapters } from "../../../db/queries/podcasts.ts";
import type { Chapter } from "../../../db/schema/podcasts.ts";
import type { Links } from "../../lib/http/links.ts";
import { textOf } from "../../lib/text/plain-text.ts";
import { chapterPictureIn, chapterPictureUrl } from "../images/links.ts";

/** A track's chapters, and where they come from. */
interface Chapters {
  source: StoredChapters["source"] | "description";
  chapters: Chapter[];
}

interface Chaptered {
  stored: StoredChapters | null;
  description: string | null;
  durationMs: number;
}

/** The chapters that the owner uploaded; else those of the description; else those of the audio file. All are within the track. */
export function chaptersOf({ stored, description, durationMs }: Chaptered): Chapters {
  const within = stored?.chapters.filter(({ start }) => start < durationMs) ?? [];
  if (stored?.source === "uploaded") return { source: "uploaded", chapters: within };
  const described = chaptersIn(description, durationMs);
  return stored && described.length === 0
    ? { source: stored.source, chapters: within }
    : { source: "description", chapters: described };
}

/** The chapters in the table of contents. */
export const listedChapters = (from: Chaptered): Chapter[] =>
  chaptersOf(from).chapters.filter(({ toc }) => toc !== false);

/** A chapter as https://podcasting2.org/docs/podcast-namespace/tags/chapters has it, in seconds. */
export const chapterInFile = (links: Links, { start, end, title, url, img, picture, toc }: Chapter) => ({
  startTime: start / 1_000,
  ...(end !== undefined && { endTime: end / 1_000 }),
  ...(title !== undefined && { title }),
  ...(url !== undefined && { url }),
  ...(picture !== undefined ? { img: chapterPictureUrl(links, picture) } : img !== undefined && { img }),
  ...(toc !== undefined && { toc }),
});

/** Chapters to store. One that is sent back with the address of its picture keeps it. */
export const chaptersToStore = (links: Links, sent: Chapter[]): Chapter[] =>
  sent.map(({ img, ...chapter }) => {
    const picture = img && chapterPictureIn(links, img);
    return { ...chapter, ...(picture ? { picture } : img && { img }) };
  });

export const CHAPTERS_VERSION = "1.2.0";

/**
 * `0:00 Title`, `[1:02:03] Title`, `0:00 – Title`, `105:12 Title`, `00:00:00.000 Title`. Has one run of blanks: two
 * would take quadratic time.
 */
const LINE =
  /^\W{0,3}(?:(\d{1,2}):(?=[0-5]?\d:))?(\d{1,4}):([0-5]\d(?:[.,]\d{1,3})?)[\])]?(?:\s*[-–—:])?\s+(\S.*)/s;

export const MIN_CHAPTERS = 2;

const secondsOf = (text = ""): number => Number(text.replace(",", "."));

function chapterIn(line: string): Chapter | undefined {
  const [, h, m, s, title] = LINE.exec(line.trim()) ?? [];
  if (title === undefined) return undefined;
  const seconds = Number(h ?? 0) * 3600 + Number(m) * 60 + secondsOf(s);
  return { start: Math.round(seconds * 1_000), title };
}

/**
 * Reads chapters from description lines that begin with times: the first at 0:00, ascending, within the track.
 * Otherwise there are none.
 */
export const chaptersIn = (description: string | null, durationMs: number): Chapter[] =>
  description?.includes(":") ? chaptersInText(textOf(description), durationMs) : [];

function chaptersInText(text: string, durationMs: number): Chapter[] {
  const chapters = text.split("\n").flatMap((line) => chapterIn(line) ?? []);
  const inOrder = chapters.every(({ start }, n) =>
    n === 0 ? start === 0 : start > (chapters[n - 1]?.start ?? 0),
  );
  const fits = chapters.every(({ start }) => start < durationMs);
  return chapters.length >= MIN_CHAPTERS && inOrder && fits ? chapters : [];
}

/** Leaves out the lines that are chapters: on one line their times would run together. */
export const withoutChapters = (text: string): string =>
  chaptersInText(text, Number.POSITIVE_INFINITY).length === 0
    ? text
    : text
        .split("\n")
        .filter((line) => !chapterIn(line))
        .join("\n");
